package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.internal.redis.proto.SchedulerEnqueueEvent;
import io.asynq.internal.redis.proto.SchedulerEntry;
import io.asynq.internal.redis.proto.ServerInfo;
import io.asynq.internal.redis.proto.TaskMessage;
import io.asynq.internal.redis.proto.WorkerInfo;

/**
 * Splits messages into their fields.
 */
final class Messages {

	private final Cells cells;

	Messages(Cells cells) {
		this.cells = cells;
	}

	void task(String path, byte[] bytes) throws InvalidProtocolBufferException {
		TaskMessage message = TaskMessage.parseFrom(bytes);
		this.cells.text(path + ".type", message.getType());
		this.cells.text(path + ".payload", text(message.getPayload()));
		this.cells.text(path + ".id", message.getId());
		this.cells.text(path + ".queue", message.getQueue());
		this.cells.text(path + ".retry", message.getRetry());
		this.cells.text(path + ".retried", message.getRetried());
		this.cells.text(path + ".error_msg", message.getErrorMsg());
		this.cells.text(path + ".timeout", message.getTimeout());
		this.cells.seconds(path + ".deadline", message.getDeadline());
		this.cells.text(path + ".unique_key", message.getUniqueKey());
		this.cells.seconds(path + ".last_failed_at", message.getLastFailedAt());
		this.cells.text(path + ".retention", message.getRetention());
		this.cells.seconds(path + ".completed_at", message.getCompletedAt());
		this.cells.text(path + ".group_key", message.getGroupKey());
		this.cells.text(path + ".headers", new TreeMap<>(message.getHeadersMap()));
		this.cells.text(path + ".unknown", message.getUnknownFields());
	}

	void server(String path, byte[] bytes) throws InvalidProtocolBufferException {
		ServerInfo info = ServerInfo.parseFrom(bytes);
		this.cells.text(path + ".host", info.getHost());
		this.cells.text(path + ".pid", info.getPid() > 0);
		this.cells.text(path + ".server_id", info.getServerId());
		this.cells.text(path + ".concurrency", info.getConcurrency());
		this.cells.text(path + ".queues", new TreeMap<>(info.getQueuesMap()));
		this.cells.text(path + ".strict_priority", info.getStrictPriority());
		this.cells.text(path + ".status", info.getStatus());
		this.cells.timestamp(path + ".start_time", info.getStartTime());
		this.cells.text(path + ".active_worker_count", info.getActiveWorkerCount());
		this.cells.text(path + ".unknown", info.getUnknownFields());
	}

	void worker(String path, byte[] bytes) throws InvalidProtocolBufferException {
		WorkerInfo info = WorkerInfo.parseFrom(bytes);
		this.cells.text(path + ".host", info.getHost());
		this.cells.text(path + ".pid", info.getPid() > 0);
		this.cells.text(path + ".server_id", info.getServerId());
		this.cells.text(path + ".task_id", info.getTaskId());
		this.cells.text(path + ".task_type", info.getTaskType());
		this.cells.text(path + ".task_payload", text(info.getTaskPayload()));
		this.cells.text(path + ".queue", info.getQueue());
		this.cells.timestamp(path + ".start_time", info.getStartTime());
		this.cells.timestamp(path + ".deadline", info.getDeadline());
		this.cells.text(path + ".unknown", info.getUnknownFields());
	}

	void schedulerEntry(String path, byte[] bytes) throws InvalidProtocolBufferException {
		SchedulerEntry entry = SchedulerEntry.parseFrom(bytes);
		// The list is unordered, and ids are random
		String of = path + "/" + entry.getSpec();
		this.cells.text(of + ".id", entry.getId());
		this.cells.text(of + ".task_type", entry.getTaskType());
		this.cells.text(of + ".task_payload", text(entry.getTaskPayload()));
		this.cells.text(of + ".enqueue_options", entry.getEnqueueOptionsList());
		this.cells.timestamp(of + ".next_enqueue_time", entry.getNextEnqueueTime());
		this.cells.timestamp(of + ".prev_enqueue_time", entry.getPrevEnqueueTime());
		this.cells.text(of + ".unknown", entry.getUnknownFields());
	}

	void schedulerEvent(String path, byte[] bytes, double score) throws InvalidProtocolBufferException {
		SchedulerEnqueueEvent event = SchedulerEnqueueEvent.parseFrom(bytes);
		String of = path + "/" + event.getTaskId();
		this.cells.score(of + "/score", score);
		this.cells.timestamp(of + ".enqueue_time", event.getEnqueueTime());
		this.cells.text(of + ".unknown", event.getUnknownFields());
	}

	private static String text(ByteString bytes) {
		return bytes.toString(StandardCharsets.ISO_8859_1);
	}

}
