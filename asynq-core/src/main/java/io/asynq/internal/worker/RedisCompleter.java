package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.asynq.BrokerException;
import io.asynq.event.ArchiveReason;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.SeveralQueues;
import io.asynq.internal.redis.Text;

/** Results that handlers write go over the application's connections. */
public final class RedisCompleter implements TaskCompleter {

	/** What scripts answer for an outcome that they have not come to. */
	static final int AGAIN = 2;

	private static final int NOT_ACTIVE = 0;

	private static final int APPLIED = 1;

	private static final int OVERDUE = 3;

	/** For a cancelled task that is to be archived. */
	private static final int ARCHIVE_CANCELLED = 4;

	/** For a cancelled task that is to be deleted. */
	private static final int DELETE_CANCELLED = 5;

	private final ScriptRunner scripts;

	private final ScriptRunner application;

	private final Clock clock;

	private final ScriptTime time;

	private final SeveralQueues several;

	public RedisCompleter(ScriptRunner scripts, ScriptRunner application, Clock clock, ScriptTime time) {
		this.scripts = scripts;
		this.application = application;
		this.clock = clock;
		this.time = time;
		this.several = new SeveralQueues(scripts);
	}

	@Override
	public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
		Keys keys = Keys.of(queue);
		ServerIdentity server = ServerIdentity.ofThisProcess();
		Set<LeasedTask> begun = new HashSet<>();
		for (List<LeasedTask> slice : Batches.of(new ArrayList<>(tasks), (task) -> 128)) {
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix(), server.host() + ":" + server.pid()));
			for (LeasedTask task : slice) {
				args.add(task.message().id());
				args.add(task.lease().fence());
			}
			int[] codes = this.scripts.runCodes(LuaScript.BEGIN_ATTEMPTS, Text.queue(queue), List.of(keys.lease()),
					args);
			for (int i = 0; i < codes.length; i++) {
				if (codes[i] == 1) {
					begun.add(slice.get(i));
				}
			}
		}
		return begun;
	}

	@Override
	public void note(String queue, Collection<LeasedTask> tasks) {
		Keys keys = Keys.of(queue);
		for (List<LeasedTask> slice : Batches.of(new ArrayList<>(tasks), (task) -> 1024)) {
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix()));
			for (LeasedTask task : slice) {
				CrashRecord record = task.record();
				args.addAll(List.of(task.message().id(), task.lease().fence(), record.suspect() ? 1 : 0,
						record.crashes(), record.deathsText(), record.cutShort()));
			}
			this.scripts.runCodes(LuaScript.NOTE_ATTEMPTS, Text.queue(queue), List.of(keys.lease()), args);
		}
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
		SortedMap<Integer, Outcome> cancelled = new TreeMap<>();
		Map<Group, List<Item>> groups = new LinkedHashMap<>();
		for (int i = 0; i < results.length; i++) {
			Item item = new Item(i, outcomes.get(i));
			groups.computeIfAbsent(item.group(), (group) -> new ArrayList<>()).add(item);
		}
		Map<Outcome.Kind, List<Item>> kinds = new LinkedHashMap<>();
		groups.forEach((group, items) -> {
			if (group.kind() == Outcome.Kind.REQUEUE) {
				// Each goes in front of the one before, so the first must be sent last
				Collections.reverse(items);
			}
			kinds.computeIfAbsent(group.kind(), (kind) -> new ArrayList<>()).addAll(items);
		});
		kinds.values()
			.forEach((items) -> Batches.of(items, Item::bytes).forEach((batch) -> report(batch, results, cancelled)));
		if (!cancelled.isEmpty()) {
			reportInstead(cancelled, results);
		}
		return Arrays.asList(results);
	}

	/** A cancelled task must neither wait nor be kept if it is to be deleted. */
	private void reportInstead(SortedMap<Integer, Outcome> cancelled, OutcomeResult[] results) {
		List<Outcome> outcomes = List.copyOf(cancelled.values());
		List<OutcomeResult> written = report(outcomes);
		int i = 0;
		for (int index : cancelled.keySet()) {
			results[index] = written.get(i).ofInstead(outcomes.get(i));
			i++;
		}
	}

	/** Queues must follow each other in the batch. */
	private void report(List<Item> batch, OutcomeResult[] results, SortedMap<Integer, Outcome> cancelled) {
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
			SortedMap<Integer, Outcome> cancelled) {
		List<Map.Entry<Group, List<Item>>> parts = List.copyOf(queues.entrySet());
		List<SeveralQueues.Answer> answers;
		try {
			answers = this.several.call(parts.get(0).getKey().kind().several(),
					parts.stream().map((part) -> call(part.getKey(), part.getValue())).toList());
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
	private void report(Group group, List<Item> batch, OutcomeResult[] results, SortedMap<Integer, Outcome> cancelled) {
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
			SortedMap<Integer, Outcome> cancelled) {
		List<Item> again = new ArrayList<>();
		for (int i = 0; i < codes.length; i++) {
			Item item = part.get(i);
			LeasedTask task = item.outcome().task();
			switch (codes[i]) {
				case NOT_ACTIVE -> results[item.index()] = OutcomeResult.NOT_ACTIVE;
				case APPLIED -> results[item.index()] = OutcomeResult.APPLIED;
				case AGAIN -> again.add(item);
				case OVERDUE -> results[item.index()] = OutcomeResult.OVERDUE;
				case ARCHIVE_CANCELLED -> {
					String error = (item.outcome() instanceof Outcome.Retry retry) ? retry.error() : "cancelled";
					cancelled.put(item.index(), new Outcome.Archive(task, error, ArchiveReason.CANCELLED));
				}
				case DELETE_CANCELLED -> cancelled.put(item.index(), new Outcome.Done(task));
				default -> results[item.index()] = OutcomeResult.BROKEN;
			}
		}
		return again;
	}

	private int[] send(Group group, List<Item> batch) {
		SeveralQueues.Call call = call(group, batch);
		return this.scripts.runCodes(group.kind().script(), Text.queue(group.queue()), call.keys(), call.args());
	}

	private SeveralQueues.Call call(Group group, List<Item> batch) {
		Keys keys = Keys.of(group.queue());
		List<Object> args = group.kind().args(keys, this.time);
		Instant now = this.clock.instant();
		long nanoTime = this.time.nanoTime();
		for (Item item : batch) {
			args.add(item.outcome().message().id());
			args.add(item.outcome().task().lease().fence());
			item.outcome().addTo(args, now, nanoTime);
		}
		return new SeveralQueues.Call(group.queue(), group.kind().keys(keys), args);
	}

	private record Group(String queue, Outcome.Kind kind) {
	}

	private record Item(int index, Outcome outcome) {

		Group group() {
			return new Group(this.outcome.message().queue(), this.outcome.kind());
		}

		long bytes() {
			byte[] payload = this.outcome.message().payload();
			byte[] result = (this.outcome instanceof Outcome.Completed completed) ? completed.result() : null;
			// An error text is truncated to 10,000 characters
			return 2048L + ((payload != null) ? payload.length : 0) + ((result != null) ? result.length : 0);
		}

	}

}
