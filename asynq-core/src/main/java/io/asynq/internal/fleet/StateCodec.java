package io.asynq.internal.fleet;

import java.time.Instant;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.proto.SchedulerEnqueueEvent;
import io.asynq.internal.redis.proto.SchedulerEntry;
import io.asynq.internal.redis.proto.ServerInfo;
import io.asynq.internal.redis.proto.WorkerInfo;
import io.asynq.internal.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

/** Writes every timestamp, as Go asynq 0.24 refuses an entry without one. */
public final class StateCodec {

	/** A payload is written every five seconds for as long as the task runs. */
	private static final int MAX_PAYLOAD = 64 * 1024;

	/** Go's zero time, which stands for never. */
	private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

	private StateCodec() {
	}

	public static byte[] encode(ServerSnapshot server) {
		return ServerInfo.newBuilder()
			.setHost(server.identity().host())
			.setPid(server.identity().pid())
			.setServerId(server.identity().serverId())
			.setConcurrency(server.concurrency())
			.putAllQueues(server.queues().weights())
			.setStrictPriority(server.queues().strict())
			.setStatus(server.status())
			.setStartTime(timestamp(server.startedAt()))
			.setActiveWorkerCount(server.workers().size())
			.build()
			.toByteArray();
	}

	public static byte[] encode(ServerIdentity server, WorkerSnapshot worker) {
		TaskMessage message = worker.message();
		byte[] payload = message.payload();
		WorkerInfo.Builder info = WorkerInfo.newBuilder()
			.setHost(server.host())
			.setPid(server.pid())
			.setServerId(server.serverId())
			.setTaskId(message.id())
			.setTaskType(TaskMessageCodec.wellFormed(message.type()))
			.setQueue(message.queue())
			.setStartTime(timestamp(worker.startedAt()))
			.setDeadline(timestamp(worker.deadline()));
		if (payload != null && payload.length <= MAX_PAYLOAD) {
			info.setTaskPayload(ByteString.copyFrom(payload));
		}
		return info.build().toByteArray();
	}

	public static byte[] encode(SchedulerEntrySnapshot entry) {
		SchedulerEntry.Builder message = SchedulerEntry.newBuilder()
			.setId(TaskMessageCodec.wellFormed(entry.id()))
			.setSpec(TaskMessageCodec.wellFormed(entry.spec()))
			.setTaskType(TaskMessageCodec.wellFormed(entry.type()))
			.setNextEnqueueTime(timestampOrNever(entry.next()))
			.setPrevEnqueueTime(timestampOrNever(entry.previous()));
		OptionTexts.of(entry.options())
			.forEach((option) -> message.addEnqueueOptions(TaskMessageCodec.wellFormed(option)));
		byte[] payload = entry.payload();
		if (payload != null && payload.length <= MAX_PAYLOAD) {
			message.setTaskPayload(ByteString.copyFrom(payload));
		}
		return message.build().toByteArray();
	}

	public static byte[] encodeEvent(String taskId, Instant at) {
		return SchedulerEnqueueEvent.newBuilder()
			.setTaskId(TaskMessageCodec.wellFormed(taskId))
			.setEnqueueTime(timestamp(at))
			.build()
			.toByteArray();
	}

	public static String id(byte[] entry) {
		try {
			return SchedulerEntry.parseFrom(entry).getId();
		}
		catch (InvalidProtocolBufferException ex) {
			return "";
		}
	}

	private static Timestamp timestampOrNever(@Nullable Instant instant) {
		return timestamp((instant != null) ? instant : NEVER);
	}

	private static Timestamp timestamp(Instant instant) {
		return Timestamp.newBuilder().setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()).build();
	}

}
