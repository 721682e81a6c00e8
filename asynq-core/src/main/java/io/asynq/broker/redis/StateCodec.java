package io.asynq.broker.redis;

import java.time.Instant;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.asynq.broker.ServerIdentity;
import io.asynq.broker.ServerSnapshot;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.WorkerSnapshot;
import io.asynq.broker.redis.proto.ServerInfo;
import io.asynq.broker.redis.proto.WorkerInfo;

/**
 * Servers and what they work on, in the bytes that Go's tools read (protocol 3.2, 3.3).
 * Every time is always present: Go asynq 0.24 refuses an entry without.
 */
final class StateCodec {

	/** A payload is written every five seconds for as long as the task runs. */
	private static final int MAX_PAYLOAD = 64 * 1024;

	private StateCodec() {
	}

	static byte[] encode(ServerSnapshot server) {
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

	static byte[] encode(ServerIdentity server, WorkerSnapshot worker) {
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

	private static Timestamp timestamp(Instant instant) {
		return Timestamp.newBuilder().setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()).build();
	}

}
