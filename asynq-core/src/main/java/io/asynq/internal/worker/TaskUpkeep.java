package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.DeletedTasks;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.BrokenTaskHandler.Hands;
import io.asynq.internal.worker.TaskUpkeep.Forwarded;
import org.jspecify.annotations.Nullable;

public class TaskUpkeep {

	private static final int FORWARDED = 100;

	/** Some ten thousand tasks; the rest goes with the next pass. */
	private static final int DELETED_SLICES = 20;

	private static final int SLICE = 1000;

	private static final int FIELDS = 8;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final Duration leaseDuration;

	private final BrokenTaskHandler broken;

	private final Fences fences;

	private final CancelledTasks cancelled;

	public TaskUpkeep(ScriptRunner scripts, ScriptTime time, Duration leaseDuration, BrokenTaskHandler broken) {
		this.scripts = scripts;
		this.time = time;
		this.leaseDuration = leaseDuration;
		this.fences = new Fences(leaseDuration);
		this.broken = broken;
		this.cancelled = new CancelledTasks(scripts, time);
	}

	/** Moves up to 100 tasks of each of scheduled and retry. */
	public Forwarded forward(String queue) {
		List<Object> answer = forward(queue, false);
		if (answer.isEmpty()) {
			this.cancelled.settle(queue, "");
			answer = forward(queue, true);
		}
		this.broken.removed(queue, (List<?>) answer.get(3));
		String lowest = Text.of(answer.get(2));
		return new Forwarded(((Long) answer.get(0)).intValue(), (Long) answer.get(1) == 1,
				lowest.isEmpty() ? null : Text.instant(lowest), Text.ofNanos(answer.get(4)));
	}

	private List<Object> forward(String queue, boolean settled) {
		Keys keys = Keys.of(queue);
		return this.broken.telling(queue,
				() -> this.scripts.runList(LuaScript.FORWARD, Text.queue(queue),
						List.of(keys.scheduled(), keys.retry(), keys.pending(), keys.groups(), keys.cancelled()),
						this.time.argument(), keys.prefix(), FORWARDED, settled ? 1 : 0));
	}

	/** Also continues an interrupted deletion of the queue. */
	public int deleteExpired(String queue, int limit) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.broken.telling(queue,
				() -> this.scripts.runList(LuaScript.DELETE_EXPIRED, Text.queue(queue),
						List.of(keys.completed(), keys.deleted()), this.time.argument(), keys.taskPrefix(), limit));
		this.broken.removed(queue, (List<?>) answer.get(1));
		if ((Long) answer.get(2) == 1) {
			new DeletedTasks(this.scripts, queue).finish(DELETED_SLICES);
		}
		return ((Long) answer.get(0)).intValue();
	}

	public Duration leaseDuration() {
		return this.leaseDuration;
	}

	/** Creates no lease that Redis does not have; each object records its fate. */
	public void extend(String queue, Collection<Lease> leases) {
		Keys keys = Keys.of(queue);
		for (List<Lease> slice : Batches.of(new ArrayList<>(leases), (lease) -> 96)) {
			List<Object> args = new ArrayList<>(
					List.of(this.time.argument(), this.leaseDuration.toMillis(), keys.taskPrefix()));
			for (Lease lease : slice) {
				args.add(lease.taskId());
				args.add(lease.fence());
			}
			long sentNanos = System.nanoTime();
			int[] codes = this.broken.telling(queue, () -> this.scripts.runCodes(LuaScript.EXTEND_LEASES,
					Text.queue(queue), List.of(keys.lease()), args));
			note(slice, codes, sentNanos + TimeUnit.MILLISECONDS.toNanos(codes[0]));
		}
	}

	private static void note(List<Lease> leases, int[] codes, long endNanos) {
		for (int i = 1; i < codes.length; i++) {
			Lease lease = leases.get(i - 1);
			switch (codes[i]) {
				case 1 -> lease.extendedTo(endNanos);
				case -1 -> lease.lose();
				case -3 -> lease.forget();
				// The task still exists, and a recoverer gives it a lease
				default -> {
				}
			}
		}
	}

	/**
	 * A task that cannot be decoded is archived once its ended lease has not moved for a
	 * lease's length; what was observed before a gap of {@code longestGap} does not
	 * count.
	 */
	public EndedLease.Page ending(String queue, Duration ahead, Duration longestGap, int offset, int limit) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.broken.telling(queue,
				() -> this.scripts.runList(LuaScript.EXPIRED_LEASES, Text.queue(queue),
						List.of(keys.lease(), keys.active(), keys.watched()), this.time.argument(), keys.taskPrefix(),
						offset, limit, ahead.toMillis(), longestGap.toMillis(), this.leaseDuration.toMillis()));
		this.broken.removed(queue, (List<?>) answer.get(2));
		List<?> found = (List<?>) answer.get(0);
		Map<String, Integer> byId = new HashMap<>();
		for (int i = 0; i < found.size(); i += 2) {
			byId.put(Text.of(found.get(i)), i / 2);
		}
		List<EndedLease> leases = this.broken.decode(queue, found, (i) -> lostHands(answer, i))
			.stream()
			.map((message) -> endedLease(message, answer, byId.get(message.id())))
			.toList();
		return new EndedLease.Page(leases, found.size() / 2 + ((Long) answer.get(6)).intValue(),
				(Long) answer.get(3) >= limit, now(answer), answer.get(4).equals(answer.get(5)));
	}

	/** What the former holder reports later is ignored. */
	public List<LeasedTask> claim(String queue, Collection<EndedLease> ended) {
		Keys keys = Keys.of(queue);
		List<LeasedTask> claimed = new ArrayList<>();
		for (List<EndedLease> slice : Batches.of(new ArrayList<>(ended), (lease) -> 64)) {
			String fence = this.fences.next(false);
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix(), fence));
			for (EndedLease lease : slice) {
				args.add(lease.message().id());
				args.add(Text.seconds(lease.endedAt()));
				args.add(lease.record().suspect() ? 1 : 0);
				args.add(lease.record().crashes());
				args.add(lease.record().deathsText());
			}
			int[] codes = this.scripts.runCodes(LuaScript.CLAIM_LEASES, Text.queue(queue),
					List.of(keys.lease(), keys.active()), args);
			for (int i = 0; i < codes.length; i++) {
				if (codes[i] == 1) {
					EndedLease lease = slice.get(i);
					claimed.add(new LeasedTask(lease.message(),
							new Lease(queue, lease.message().id(), fence, System.nanoTime()), lease.record()));
				}
			}
		}
		return claimed;
	}

	public List<String> withoutLease(String queue) {
		Keys keys = Keys.of(queue);
		List<Object> found = new ArrayList<>();
		List<Object> unreadable = new ArrayList<>();
		long from = 0;
		long length;
		do {
			long first = from;
			List<Object> answer = this.broken.telling(queue, () -> this.scripts.runList(LuaScript.ACTIVE_WITHOUT_LEASE,
					Text.queue(queue), List.of(keys.active(), keys.lease()), first, first + SLICE - 1));
			length = (Long) answer.get(0);
			for (Object id : answer.subList(1, answer.size())) {
				String text = Text.of(id);
				(Arrays.equals(Text.utf8(text), (byte[]) id) ? found : unreadable).add(id);
			}
			from += SLICE;
		}
		while (length == SLICE);
		// No server runs a task whose id is not valid text: its lease may have ended at
		// once
		attach(queue, unreadable, Duration.ZERO);
		return found.stream().map(Text::of).toList();
	}

	/** Skips ids that have a lease by now; one of no length is recovered at once. */
	public int attachLease(String queue, Collection<String> ids, Duration length) {
		return attach(queue, ids, length);
	}

	private int attach(String queue, Collection<?> ids, Duration length) {
		Keys keys = Keys.of(queue);
		int attached = 0;
		for (List<Object> slice : Batches.of(new ArrayList<Object>(ids), (id) -> 64)) {
			List<Object> args = new ArrayList<>(List.of(this.time.argument(), length.toMillis(), keys.taskPrefix()));
			args.addAll(slice);
			attached += this.broken
				.telling(queue,
						() -> this.scripts.runLong(LuaScript.ATTACH_LEASES, Text.queue(queue),
								List.of(keys.active(), keys.lease()), args.toArray()))
				.intValue();
		}
		return attached;
	}

	/** Another server may decode the task, but would have extended the lease by then. */
	private @Nullable Hands lostHands(List<Object> answer, int index) {
		List<?> fields = (List<?>) answer.get(1);
		int from = index * FIELDS;
		boolean lost = !endedAt(fields, from).isAfter(now(answer))
				&& unmoved(answer, index).compareTo(this.leaseDuration) >= 0;
		return lost ? new Hands(Text.of(fields.get(from + 1)), Text.of(fields.get(from))) : null;
	}

	private static EndedLease endedLease(TaskMessage message, List<Object> answer, int index) {
		List<?> fields = (List<?>) answer.get(1);
		int from = index * FIELDS;
		Instant endedAt = endedAt(fields, from);
		return new EndedLease(message, endedAt, Duration.between(endedAt, now(answer)), unmoved(answer, index),
				LostAttempt.of(fields, from), CrashRecord.recovered(fields, from + 4));
	}

	private static Instant endedAt(List<?> fields, int from) {
		return Instant.ofEpochSecond(Long.parseLong(Text.of(fields.get(from))));
	}

	private static Instant now(List<Object> answer) {
		return Instant.ofEpochMilli((Long) answer.get(7));
	}

	private static Duration unmoved(List<Object> answer, int index) {
		return Duration.ofMillis((Long) ((List<?>) answer.get(8)).get(index));
	}

	/** {@code now} is by Redis's clock, which due times go by. */
	public record Forwarded(int moved, boolean more, @Nullable Instant nextDue, Instant now) {
	}

}
