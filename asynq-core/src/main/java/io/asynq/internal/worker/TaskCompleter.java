package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
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
public class TaskCompleter {

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

	public TaskCompleter(ScriptRunner scripts, ScriptRunner application, Clock clock, ScriptTime time) {
		this.scripts = scripts;
		this.application = application;
		this.clock = clock;
		this.time = time;
		this.several = new SeveralQueues(scripts);
	}

	/**
	 * Tasks left out of the answer belong to another attempt by now; it may have been
	 * recorded even if this throws.
	 */
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

	/** To be called before the outcomes of such attempts are reported. */
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

	/** Writes nothing for a task that is gone, which would leave a stray hash behind. */
	public boolean writeResult(Lease lease, byte[] result) {
		Keys keys = Keys.of(lease.queue());
		return this.application.runLong(LuaScript.WRITE_RESULT, Text.task(lease.queue(), lease.taskId()),
				List.of(keys.task(lease.taskId()), keys.lease()), lease.taskId(), lease.fence(), result) == 1;
	}

	/** Idempotent, and does not throw when Redis fails. */
	public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
		Map<Outcome.Kind, List<Item>> kinds = new EnumMap<>(Outcome.Kind.class);
		for (int i = 0; i < outcomes.size(); i++) {
			Outcome outcome = outcomes.get(i);
			kinds.computeIfAbsent(outcome.kind(), (kind) -> new ArrayList<>()).add(new Item(i, outcome));
		}
		Report report = new Report(outcomes.size());
		kinds.forEach((kind, items) -> {
			if (kind == Outcome.Kind.REQUEUE) {
				// Each goes in front of the one before, so the first must be sent last
				Collections.reverse(items);
			}
			List<Item> queueByQueue = byQueue(items).values().stream().flatMap(List::stream).toList();
			Batches.of(queueByQueue, Item::bytes).forEach((batch) -> report.write(kind, byQueue(batch)));
		});
		report.writeInstead();
		return Arrays.asList(report.results);
	}

	private static Map<String, List<Item>> byQueue(List<Item> items) {
		Map<String, List<Item>> queues = new LinkedHashMap<>();
		for (Item item : items) {
			queues.computeIfAbsent(item.outcome().message().queue(), (queue) -> new ArrayList<>()).add(item);
		}
		return queues;
	}

	private SeveralQueues.Call call(Outcome.Kind kind, String queue, List<Item> batch) {
		Keys keys = Keys.of(queue);
		List<Object> args = kind.args(keys, this.time);
		Instant now = this.clock.instant();
		long nanoTime = this.time.nanoTime();
		for (Item item : batch) {
			args.add(item.outcome().message().id());
			args.add(item.outcome().task().lease().fence());
			item.outcome().addTo(args, now, nanoTime);
		}
		return new SeveralQueues.Call(queue, kind.keys(keys), args);
	}

	private final class Report {

		private final OutcomeResult[] results;

		/** A cancelled task must neither wait nor be kept if it is to be deleted. */
		private final SortedMap<Integer, Outcome> instead = new TreeMap<>();

		Report(int size) {
			this.results = new OutcomeResult[size];
		}

		void write(Outcome.Kind kind, Map<String, List<Item>> queues) {
			if (queues.size() == 1 || !TaskCompleter.this.several.arePossible() || !writeTogether(kind, queues)) {
				queues.forEach((queue, items) -> write(kind, queue, items));
			}
		}

		/** Returns {@code false} if Redis refuses such calls; nothing was done then. */
		private boolean writeTogether(Outcome.Kind kind, Map<String, List<Item>> queues) {
			List<SeveralQueues.Call> calls = new ArrayList<>(queues.size());
			queues.forEach((queue, items) -> calls.add(call(kind, queue, items)));
			List<SeveralQueues.Answer> answers;
			try {
				answers = TaskCompleter.this.several.call(kind.several(), calls);
			}
			catch (BrokerException ex) {
				queues.values().forEach((items) -> unreachable(items, ex));
				return true;
			}
			for (int i = 0; i < answers.size(); i++) {
				String queue = calls.get(i).queue();
				List<Item> items = queues.get(queue);
				BrokerException error = answers.get(i).error();
				if (error != null) {
					unreachable(items, error);
				}
				else {
					int[] codes = answers.get(i)
						.answer()
						.stream()
						.mapToInt((code) -> ((Long) code).intValue())
						.toArray();
					write(kind, queue, read(items, codes));
				}
			}
			return !answers.isEmpty();
		}

		/**
		 * Sends twice as many as it got through, so that few are sent more than twice.
		 */
		private void write(Outcome.Kind kind, String queue, List<Item> batch) {
			List<Item> left = batch;
			int size = batch.size();
			try {
				while (!left.isEmpty()) {
					List<Item> part = left.subList(0, Math.min(size, left.size()));
					SeveralQueues.Call call = call(kind, queue, part);
					List<Item> again = read(part, TaskCompleter.this.scripts.runCodes(kind.script(), Text.queue(queue),
							call.keys(), call.args()));
					size = 2 * Math.max(1, part.size() - again.size());
					again.addAll(left.subList(part.size(), left.size()));
					left = again;
				}
			}
			catch (BrokerException ex) {
				unreachable(left, ex);
			}
		}

		void writeInstead() {
			if (this.instead.isEmpty()) {
				return;
			}
			List<Outcome> outcomes = List.copyOf(this.instead.values());
			Iterator<OutcomeResult> written = report(outcomes).iterator();
			this.instead.forEach((index, outcome) -> this.results[index] = written.next().ofInstead(outcome));
		}

		private void unreachable(List<Item> items, BrokerException error) {
			items.forEach((item) -> this.results[item.index()] = OutcomeResult.unreachable(error));
		}

		/** Returns those that the script has not come to. */
		private List<Item> read(List<Item> part, int[] codes) {
			List<Item> again = new ArrayList<>();
			for (int i = 0; i < codes.length; i++) {
				Item item = part.get(i);
				Outcome outcome = item.outcome();
				switch (codes[i]) {
					case NOT_ACTIVE -> this.results[item.index()] = OutcomeResult.NOT_ACTIVE;
					case APPLIED -> this.results[item.index()] = OutcomeResult.APPLIED;
					case AGAIN -> again.add(item);
					case OVERDUE -> this.results[item.index()] = OutcomeResult.OVERDUE;
					case ARCHIVE_CANCELLED -> {
						String error = (outcome instanceof Outcome.Retry retry) ? retry.error() : "cancelled";
						this.instead.put(item.index(),
								new Outcome.Archive(outcome.task(), error, ArchiveReason.CANCELLED));
					}
					case DELETE_CANCELLED -> this.instead.put(item.index(), new Outcome.Done(outcome.task()));
					default -> this.results[item.index()] = OutcomeResult.BROKEN;
				}
			}
			return again;
		}

	}

	private record Item(int index, Outcome outcome) {

		long bytes() {
			byte[] payload = this.outcome.message().payload();
			byte[] result = (this.outcome instanceof Outcome.Completed completed) ? completed.result() : null;
			// An error text is truncated to 10,000 characters
			return 2048L + ((payload != null) ? payload.length : 0) + ((result != null) ? result.length : 0);
		}

	}

}
