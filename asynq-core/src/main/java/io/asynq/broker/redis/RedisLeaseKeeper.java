package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.broker.EndedLease;
import io.asynq.broker.EndedLeases;
import io.asynq.broker.Lease;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.TaskMessage;

/**
 * Extends leases and finds lost ones (protocol 6.13, 6.14).
 */
final class RedisLeaseKeeper implements LeaseKeeper {

	private static final int SLICE = 1000;

	private final ScriptRunner scripts;

	private final Clock clock;

	private final Duration leaseDuration;

	private final BrokenTaskHandler broken;

	private final Fences fences = new Fences();

	RedisLeaseKeeper(ScriptRunner scripts, Clock clock, Duration leaseDuration, BrokenTaskHandler broken) {
		this.scripts = scripts;
		this.clock = clock;
		this.leaseDuration = leaseDuration;
		this.broken = broken;
	}

	@Override
	public Duration leaseDuration() {
		return this.leaseDuration;
	}

	@Override
	public void extend(String queue, Collection<Lease> leases) {
		Keys keys = Keys.of(queue);
		for (List<Lease> slice : Batches.of(new ArrayList<>(leases), (lease) -> 64)) {
			Instant end = Instant.ofEpochSecond(Text.seconds(this.clock.instant().plus(this.leaseDuration)));
			List<Object> args = new ArrayList<>(slice.size() + 1);
			args.add(Text.seconds(end));
			slice.forEach((lease) -> args.add(lease.taskId()));
			int[] codes = this.scripts.runCodes(LuaScript.EXTEND_LEASES, Text.queue(queue), List.of(keys.lease()),
					args);
			requireUsable(queue, codes[0], keys.lease());
			for (int i = 0; i < codes.length; i++) {
				if (codes[i] == 1) {
					slice.get(i).extendedTo(end);
				}
			}
		}
	}

	@Override
	public EndedLeases ending(String queue, Instant until, int offset, int limit) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.EXPIRED_LEASES, Text.queue(queue),
				List.of(keys.lease(), keys.active()), Text.seconds(until), keys.taskPrefix(), offset, limit);
		requireUsable(queue, (Long) answer.get(0), keys.lease() + " or " + keys.active());
		this.broken.removed(queue, (List<?>) answer.get(3));
		List<?> found = (List<?>) answer.get(1);
		List<?> ends = (List<?>) answer.get(2);
		Instant now = this.clock.instant();
		List<Object> tasks = new ArrayList<>(found.size());
		Map<String, EndedLeaseData> byId = new HashMap<>();
		for (int i = 0; i < found.size(); i += 2) {
			EndedLeaseData data = EndedLeaseData.of(ends, i / 2 * 3);
			// What cannot be decoded here may make sense to whoever still works on it
			if (!data.endedAt().isAfter(now) || StoredMessages.isReadable((byte[]) found.get(i + 1))) {
				tasks.addAll(found.subList(i, i + 2));
				byId.put(Text.of(found.get(i)), data);
			}
		}
		List<EndedLease> leases = this.broken.decode(queue, tasks)
			.stream()
			.map((message) -> byId.get(message.id()).lease(message))
			.toList();
		return new EndedLeases(leases, found.size() / 2, (Long) answer.get(4) >= limit,
				answer.get(5).equals(answer.get(6)));
	}

	@Override
	public List<LeasedTask> claim(String queue, Collection<EndedLease> ended) {
		Keys keys = Keys.of(queue);
		List<LeasedTask> claimed = new ArrayList<>();
		for (List<EndedLease> slice : Batches.of(new ArrayList<>(ended), (lease) -> 64)) {
			String fence = this.fences.next();
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix(), fence));
			for (EndedLease lease : slice) {
				args.add(lease.message().id());
				args.add(Text.seconds(lease.endedAt()));
				args.add(lease.crashes());
			}
			int[] codes = this.scripts.runCodes(LuaScript.CLAIM_LEASES, Text.queue(queue),
					List.of(keys.lease(), keys.active()), args);
			for (int i = 0; i < codes.length; i++) {
				if (codes[i] == 1) {
					TaskMessage message = slice.get(i).message();
					claimed.add(new LeasedTask(message, new Lease(queue, message.id(), fence, slice.get(i).endedAt())));
				}
			}
		}
		return claimed;
	}

	@Override
	public List<String> withoutLease(String queue) {
		Keys keys = Keys.of(queue);
		List<Object> found = new ArrayList<>();
		List<Object> unreadable = new ArrayList<>();
		long from = 0;
		long length;
		do {
			List<Object> answer = this.scripts.runList(LuaScript.ACTIVE_WITHOUT_LEASE, Text.queue(queue),
					List.of(keys.active(), keys.lease()), from, from + SLICE - 1);
			length = (Long) answer.get(0);
			requireUsable(queue, length, keys.active() + " or " + keys.lease());
			for (Object id : answer.subList(1, answer.size())) {
				String text = Text.of(id);
				(Arrays.equals(Text.utf8(text), (byte[]) id) ? found : unreadable).add(id);
			}
			from += SLICE;
		}
		while (length == SLICE);
		// No server works on a task whose id is no text: recovery may archive it at once
		attach(queue, unreadable, this.clock.instant());
		return found.stream().map(Text::of).toList();
	}

	@Override
	public int attachLease(String queue, Collection<String> ids, Instant expiresAt) {
		return attach(queue, ids, expiresAt);
	}

	private int attach(String queue, Collection<?> ids, Instant expiresAt) {
		Keys keys = Keys.of(queue);
		int attached = 0;
		for (List<Object> slice : Batches.of(new ArrayList<Object>(ids), (id) -> 64)) {
			List<Object> args = new ArrayList<>(slice.size() + 1);
			args.add(Text.seconds(expiresAt));
			args.addAll(slice);
			long code = this.scripts.runLong(LuaScript.ATTACH_LEASES, Text.queue(queue),
					List.of(keys.active(), keys.lease()), args.toArray());
			requireUsable(queue, code, keys.active() + " or " + keys.lease());
			attached += (int) code;
		}
		return attached;
	}

	private record EndedLeaseData(Instant endedAt, int crashes, boolean counted) {

		static EndedLeaseData of(List<?> data, int from) {
			String count = Text.of(data.get(from + 1));
			return new EndedLeaseData(Instant.ofEpochSecond(Long.parseLong(Text.of(data.get(from)))),
					count.matches("\\d{1,6}") ? Integer.parseInt(count) : 0, (Long) data.get(from + 2) == 1);
		}

		EndedLease lease(TaskMessage message) {
			return new EndedLease(message, this.endedAt, this.crashes, this.counted);
		}

	}

	private void requireUsable(String queue, long code, String keys) {
		if (code == -2) {
			this.broken.unusable(queue, keys);
			throw new BrokerException("Leases of queue '" + queue + "' cannot be kept: " + keys
					+ " has the wrong type in Redis; rename or delete that key", null);
		}
	}

}
