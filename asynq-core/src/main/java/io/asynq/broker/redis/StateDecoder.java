package io.asynq.broker.redis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import io.asynq.Task;
import io.asynq.broker.EnqueueEvent;
import io.asynq.broker.SchedulerEntry;
import io.asynq.broker.ServerInfo;
import io.asynq.broker.WorkerInfo;
import io.asynq.broker.redis.proto.SchedulerEnqueueEvent;
import org.jspecify.annotations.Nullable;

/**
 * Servers and schedulers from the bytes they tell of themselves with (protocol 3.2–3.5).
 */
final class StateDecoder {

	/** What Go writes for "never": 0001-01-01T00:00:00Z. */
	private static final long NEVER = -62_135_596_800L;

	private StateDecoder() {
	}

	/**
	 * Decodes a server.
	 * @param entry its entry
	 * @param workers what it works on; what cannot be decoded is left out
	 * @return the server
	 * @throws InvalidProtocolBufferException if the entry is none
	 */
	static ServerInfo server(byte[] entry, List<?> workers) throws InvalidProtocolBufferException {
		io.asynq.broker.redis.proto.ServerInfo stored = io.asynq.broker.redis.proto.ServerInfo.parseFrom(entry);
		List<WorkerInfo> decoded = new ArrayList<>(workers.size());
		for (Object worker : workers) {
			try {
				decoded.add(worker((byte[]) worker));
			}
			catch (InvalidProtocolBufferException ex) {
				// Its server goes on writing others
			}
		}
		return new ServerInfo(stored.getServerId(), stored.getHost(), stored.getPid(), stored.getConcurrency(),
				Map.copyOf(stored.getQueuesMap()), stored.getStrictPriority(), stored.getStatus(),
				instant(stored.getStartTime()), List.copyOf(decoded));
	}

	static WorkerInfo worker(byte[] bytes) throws InvalidProtocolBufferException {
		io.asynq.broker.redis.proto.WorkerInfo stored = io.asynq.broker.redis.proto.WorkerInfo.parseFrom(bytes);
		return new WorkerInfo(stored.getTaskId(), task(stored.getTaskType(), stored.getTaskPayload()),
				stored.getQueue(), instant(stored.getStartTime()), instant(stored.getDeadline()));
	}

	static SchedulerEntry schedulerEntry(byte[] bytes) throws InvalidProtocolBufferException {
		io.asynq.broker.redis.proto.SchedulerEntry stored = io.asynq.broker.redis.proto.SchedulerEntry.parseFrom(bytes);
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
