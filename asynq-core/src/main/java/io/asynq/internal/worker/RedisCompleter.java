package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.SeveralQueues;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;

/** Results that handlers write go over the application's connections. */
public final class RedisCompleter implements TaskCompleter {

	/** What scripts answer for an outcome that they have not come to. */
	static final int AGAIN = 2;

	private static final int OVERDUE = 3;

	private final ScriptRunner scripts;

	private final ScriptRunner application;

	private final Clock clock;

	private final ScriptTime time;

	private final AttemptNotes attempts;

	private final SeveralQueues several;

	public RedisCompleter(ScriptRunner scripts, ScriptRunner application, Clock clock, ScriptTime time) {
		this.scripts = scripts;
		this.application = application;
		this.clock = clock;
		this.time = time;
		this.attempts = new AttemptNotes(scripts);
		this.several = new SeveralQueues(scripts);
	}

	@Override
	public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
		return this.attempts.begin(queue, tasks);
	}

	@Override
	public void note(String queue, Collection<LeasedTask> tasks) {
		this.attempts.note(queue, tasks);
	}

	@Override
	public boolean writeResult(Lease lease, byte[] result) {
		Keys keys = Keys.of(lease.queue());
		return this.application.runLong(LuaScript.WRITE_RESULT, Text.task(lease.queue(), lease.taskId()),
				List.of(keys.task(lease.taskId()), keys.lease()), lease.taskId(), lease.fence(), result) == 1;
	}

	@Override
	public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
		OutcomeResult[] results = new OutcomeResult[outcomes.size()];
		CancelledOutcomes cancelled = new CancelledOutcomes();
		Map<Group, List<Item>> groups = new LinkedHashMap<>();
		for (int i = 0; i < results.length; i++) {
			Item item = new Item(i, outcomes.get(i));
			groups.computeIfAbsent(item.group(), (group) -> new ArrayList<>()).add(item);
		}
		Map<Class<?>, List<Item>> kinds = new LinkedHashMap<>();
		groups.forEach((group, items) -> {
			if (group.kind() == Outcome.Requeue.class) {
				// Each goes in front of the one before, so the first must be sent last
				Collections.reverse(items);
			}
			kinds.computeIfAbsent(group.kind(), (kind) -> new ArrayList<>()).addAll(items);
		});
		kinds.values()
			.forEach((items) -> Batches.of(items, Item::bytes).forEach((batch) -> report(batch, results, cancelled)));
		cancelled.write(this::report, results);
		return Arrays.asList(results);
	}

	/** Queues must follow each other in the batch. */
	private void report(List<Item> batch, OutcomeResult[] results, CancelledOutcomes cancelled) {
		Map<Group, List<Item>> queues = new LinkedHashMap<>();
		for (Item item : batch) {
			queues.computeIfAbsent(item.group(), (group) -> new ArrayList<>()).add(item);
		}
		if (queues.size() == 1 || !this.several.arePossible() || !reportTogether(queues, results, cancelled)) {
			queues.forEach((group, items) -> report(group, items, results, cancelled));
		}
	}

	/** Returns {@code false} if Redis refuses such calls; nothing was done then. */
	private boolean reportTogether(Map<Group, List<Item>> queues, OutcomeResult[] results,
			CancelledOutcomes cancelled) {
		List<Map.Entry<Group, List<Item>>> parts = List.copyOf(queues.entrySet());
		List<SeveralQueues.Answer> answers;
		try {
			answers = this.several.call(call(parts.get(0).getKey()).several(), parts.stream().map((part) -> {
				Call call = call(part.getKey(), part.getValue());
				return new SeveralQueues.Call(part.getKey().queue(), call.keys(), call.args());
			}).toList());
		}
		catch (BrokerException ex) {
			queues.values().forEach((items) -> unreachable(items, results, ex));
			return true;
		}
		for (int i = 0; i < answers.size(); i++) {
			List<Item> items = parts.get(i).getValue();
			BrokerException error = answers.get(i).error();
			if (error != null) {
				unreachable(items, results, error);
			}
			else {
				int[] codes = answers.get(i).answer().stream().mapToInt((code) -> ((Long) code).intValue()).toArray();
				report(parts.get(i).getKey(), again(items, codes, results, cancelled), results, cancelled);
			}
		}
		return !answers.isEmpty();
	}

	private static void unreachable(List<Item> items, OutcomeResult[] results, BrokerException error) {
		for (Item item : items) {
			results[item.index()] = OutcomeResult.unreachable(error);
		}
	}

	/** Sends twice as many as it got through, so that few are sent more than twice. */
	private void report(Group group, List<Item> batch, OutcomeResult[] results, CancelledOutcomes cancelled) {
		List<Item> left = batch;
		int size = batch.size();
		try {
			while (!left.isEmpty()) {
				List<Item> part = left.subList(0, Math.min(size, left.size()));
				List<Item> again = again(part, send(group, part), results, cancelled);
				size = 2 * Math.max(1, part.size() - again.size());
				again.addAll(left.subList(part.size(), left.size()));
				left = again;
			}
		}
		catch (BrokerException ex) {
			unreachable(left, results, ex);
		}
	}

	private static List<Item> again(List<Item> part, int[] codes, OutcomeResult[] results,
			CancelledOutcomes cancelled) {
		List<Item> again = new ArrayList<>();
		for (int i = 0; i < codes.length; i++) {
			Item item = part.get(i);
			if (codes[i] == AGAIN) {
				again.add(item);
			}
			else if (!cancelled.take(item.index(), item.outcome(), codes[i])) {
				results[item.index()] = result(codes[i]);
			}
		}
		return again;
	}

	private int[] send(Group group, List<Item> batch) {
		Call call = call(group, batch);
		return this.scripts.runCodes(call.script(), Text.queue(group.queue()), call.keys(), call.args());
	}

	private Call call(Group group, List<Item> batch) {
		Instant now = this.clock.instant();
		Call call = call(group);
		for (Item item : batch) {
			addTo(call.args(), item.outcome(), now);
		}
		return call;
	}

	private Call call(Group group) {
		Class<?> kind = group.kind();
		Keys keys = Keys.of(group.queue());
		Statistics statistics = new Statistics(keys, this.time);
		List<Object> args = statistics.args();
		String active = keys.active();
		String lease = keys.lease();
		if (kind == Outcome.Done.class) {
			return new Call(LuaScript.DONE, LuaScript.DONE_SEVERAL, statistics.successKeys(active, lease), args);
		}
		if (kind == Outcome.Completed.class) {
			return new Call(LuaScript.COMPLETE, LuaScript.COMPLETE_SEVERAL,
					statistics.successKeys(active, lease, keys.completed()), args);
		}
		if (kind == Outcome.Retry.class) {
			return new Call(LuaScript.RETRY, LuaScript.RETRY_SEVERAL,
					statistics.failureKeys(active, lease, keys.retry()), args);
		}
		if (kind == Outcome.Postpone.class) {
			return new Call(LuaScript.POSTPONE, LuaScript.POSTPONE_SEVERAL, List.of(active, lease, keys.retry()),
					withTime(new ArrayList<>(List.of(keys.taskPrefix()))));
		}
		if (kind == Outcome.Wait.class) {
			return new Call(LuaScript.WAIT, LuaScript.WAIT_SEVERAL,
					List.of(active, lease, keys.retry(), keys.waiting()),
					withTime(new ArrayList<>(List.of(keys.taskPrefix()))));
		}
		if (kind == Outcome.Unhandled.class) {
			return new Call(LuaScript.UNHANDLED, LuaScript.UNHANDLED_SEVERAL,
					List.of(active, lease, keys.retry(), keys.unhandled()),
					withTime(new ArrayList<>(List.of(keys.taskPrefix()))));
		}
		if (kind == Outcome.Archive.class) {
			args.addAll(Statistics.archiveLimits());
			return new Call(LuaScript.ARCHIVE, LuaScript.ARCHIVE_SEVERAL,
					statistics.failureKeys(active, lease, keys.archived()), args);
		}
		return new Call(LuaScript.REQUEUE, LuaScript.REQUEUE_SEVERAL, List.of(active, lease, keys.pending()),
				withTime(new ArrayList<>(List.of(keys.taskPrefix()))));
	}

	private void addTo(List<Object> args, Outcome outcome, Instant now) {
		TaskMessage message = outcome.message();
		args.add(message.id());
		args.add(outcome.task().lease().fence());
		if (outcome instanceof Outcome.Done) {
			args.add(message.uniqueKey());
		}
		else if (outcome instanceof Outcome.Completed completed) {
			byte[] result = completed.result();
			args.addAll(List.of(TaskMessageCodec.encode(OutcomeMessages.completed(message, now)),
					message.retentionSeconds(), message.uniqueKey(), (result != null) ? 1 : 0,
					(result != null) ? result : ""));
		}
		else if (outcome instanceof Outcome.Retry retry) {
			args.addAll(List.of(TaskMessageCodec.encode(OutcomeMessages.retried(retry, now)),
					retry.due().left(this.time.nanoTime()).toMillis(), retry.failure() ? 1 : 0));
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			args.add(postpone.due().left(this.time.nanoTime()).toMillis());
		}
		else if (outcome instanceof Outcome.Wait wait) {
			args.addAll(List.of(wait.needs().needs(), wait.due().left(this.time.nanoTime()).toMillis()));
		}
		else if (outcome instanceof Outcome.Unhandled unhandled) {
			args.addAll(List.of(TaskMessageCodec.encode(OutcomeMessages.unhandled(unhandled, now)), message.type(),
					unhandled.longest().toSeconds(), unhandled.maxAge().toSeconds()));
		}
		else if (outcome instanceof Outcome.Archive archive) {
			args.add(TaskMessageCodec.encode(OutcomeMessages.archived(archive, now)));
		}
	}

	private List<Object> withTime(List<Object> args) {
		args.add(this.time.argument());
		return args;
	}

	private static OutcomeResult result(int code) {
		return switch (code) {
			case 1 -> OutcomeResult.APPLIED;
			case 0 -> OutcomeResult.NOT_ACTIVE;
			case OVERDUE -> OutcomeResult.OVERDUE;
			default -> OutcomeResult.BROKEN;
		};
	}

	private record Group(String queue, Class<?> kind) {
	}

	private record Item(int index, Outcome outcome) {

		Group group() {
			return new Group(this.outcome.message().queue(), this.outcome.getClass());
		}

		long bytes() {
			byte[] payload = this.outcome.message().payload();
			byte[] result = (this.outcome instanceof Outcome.Completed completed) ? completed.result() : null;
			// An error text is truncated to 10,000 characters
			return 2048L + ((payload != null) ? payload.length : 0) + ((result != null) ? result.length : 0);
		}

	}

	private record Call(LuaScript script, LuaScript several, List<String> keys, List<Object> args) {
	}

}
