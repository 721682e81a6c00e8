package io.asynq.internal.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import io.asynq.Task;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import io.asynq.internal.redis.OptionTexts;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.proto.SchedulerEnqueueEvent;
import org.jspecify.annotations.Nullable;

public final class StateDecoder {

	/** What Go writes for "never": 0001-01-01T00:00:00Z. */
	private static final long NEVER = -62_135_596_800L;

	private static final String ACTIVE = "active";

	private StateDecoder() {
	}

	/** Tasks that cannot be decoded are left out. */
	public static ServerInfo server(byte[] entry, List<?> workers, Map<String, Integer> held)
			throws InvalidProtocolBufferException {
		io.asynq.internal.redis.proto.ServerInfo stored = io.asynq.internal.redis.proto.ServerInfo.parseFrom(entry);
		List<WorkerInfo> decoded = new ArrayList<>(workers.size());
		for (Object worker : workers) {
			try {
				decoded.add(worker((byte[]) worker));
			}
			catch (InvalidProtocolBufferException ex) {
				// Its server writes a new one soon
			}
		}
		return new ServerInfo(stored.getServerId(), stored.getHost(), stored.getPid(), stored.getConcurrency(),
				Map.copyOf(stored.getQueuesMap()), stored.getStrictPriority(), stored.getStatus(),
				instant(stored.getStartTime()), List.copyOf(decoded), held);
	}

	/** Empty if the server takes no tasks or cannot be decoded. */
	static Optional<Set<String>> queuesServed(byte[] entry) {
		try {
			io.asynq.internal.redis.proto.ServerInfo stored = io.asynq.internal.redis.proto.ServerInfo.parseFrom(entry);
			return ACTIVE.equals(stored.getStatus()) ? Optional.of(Set.copyOf(stored.getQueuesMap().keySet()))
					: Optional.empty();
		}
		catch (InvalidProtocolBufferException ex) {
			return Optional.empty();
		}
	}

	/** May recover tasks without taking any; one that is not decodable may, too. */
	static boolean mayServe(byte[] entry, Collection<String> queues) {
		try {
			return !Collections
				.disjoint(io.asynq.internal.redis.proto.ServerInfo.parseFrom(entry).getQueuesMap().keySet(), queues);
		}
		catch (InvalidProtocolBufferException ex) {
			return true;
		}
	}

	static WorkerInfo worker(byte[] bytes) throws InvalidProtocolBufferException {
		io.asynq.internal.redis.proto.WorkerInfo stored = io.asynq.internal.redis.proto.WorkerInfo.parseFrom(bytes);
		return new WorkerInfo(stored.getTaskId(), task(stored.getTaskType(), stored.getTaskPayload()),
				stored.getQueue(), instant(stored.getStartTime()), instant(stored.getDeadline()));
	}

	static SchedulerEntry schedulerEntry(byte[] bytes) throws InvalidProtocolBufferException {
		io.asynq.internal.redis.proto.SchedulerEntry stored = io.asynq.internal.redis.proto.SchedulerEntry
			.parseFrom(bytes);
		List<String> texts = List.copyOf(stored.getEnqueueOptionsList());
		return new SchedulerEntry(stored.getId(), stored.getSpec(), task(stored.getTaskType(), stored.getTaskPayload()),
				OptionTexts.parse(texts), texts, instantOrNever(stored.getNextEnqueueTime()),
				instantOrNever(stored.getPrevEnqueueTime()));
	}

	static EnqueueEvent enqueueEvent(byte[] bytes) throws InvalidProtocolBufferException {
		SchedulerEnqueueEvent stored = SchedulerEnqueueEvent.parseFrom(bytes);
		return new EnqueueEvent(stored.getTaskId(), instant(stored.getEnqueueTime()));
	}

	private static Task task(String type, ByteString payload) {
		return Task.of(type, payload.isEmpty() ? null : payload.toByteArray());
	}

	private static @Nullable Instant instantOrNever(Timestamp timestamp) {
		return (timestamp.getSeconds() > NEVER) ? instant(timestamp) : null;
	}

	private static Instant instant(Timestamp timestamp) {
		return Text.instant(timestamp.getSeconds()).plusNanos(Math.max(0, Math.min(timestamp.getNanos(), 999_999_999)));
	}

}
