package io.asynq.internal.fleet;

import com.google.protobuf.ByteString;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.proto.ServerInfo;
import io.asynq.internal.redis.proto.WorkerInfo;
import io.asynq.internal.worker.WorkerSnapshot;

/** Writes every timestamp, as Go asynq 0.24 refuses an entry without one. */
public final class StateCodec {

	/** A payload is written every five seconds for as long as the task runs. */
	private static final int MAX_PAYLOAD = 64 * 1024;

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
			.setStartTime(TaskMessageCodec.timestamp(server.startedAt()))
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
			.setStartTime(TaskMessageCodec.timestamp(worker.startedAt()))
			.setDeadline(TaskMessageCodec.timestamp(worker.deadline()));
		if (payload != null && payload.length <= MAX_PAYLOAD) {
			info.setTaskPayload(ByteString.copyFrom(payload));
		}
		return info.build().toByteArray();
	}

}
