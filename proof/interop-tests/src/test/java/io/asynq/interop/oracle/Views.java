package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import org.jspecify.annotations.Nullable;

/**
 * What our classes show, in the words of the Go program.
 */
final class Views {

	private Views() {
	}

	static Map<String, Object> task(TaskInfo info) {
		Map<String, Object> view = new HashMap<>();
		view.put("id", info.id());
		view.put("queue", info.queue());
		view.put("type", info.type());
		view.put("payload", text(info.payload()));
		view.put("state", info.state().wireName());
		view.put("maxRetry", info.maxRetry());
		view.put("retried", info.retried());
		view.put("lastError", (info.lastError() != null) ? info.lastError() : "");
		view.put("headers", info.headers());
		view.put("failedAt", seconds(info.lastFailedAt()));
		view.put("timeout", info.timeout().toSeconds());
		view.put("deadline", seconds(info.deadline()));
		view.put("group", (info.group() != null) ? info.group() : "");
		view.put("next", seconds(info.nextProcessAt()));
		view.put("orphaned", info.orphaned());
		view.put("retention", info.retention().toSeconds());
		view.put("completedAt", seconds(info.completedAt()));
		view.put("result", text(info.result()));
		return view;
	}

	static Map<String, Object> queue(QueueInfo info) {
		Map<String, Object> view = new HashMap<>();
		view.put("queue", info.queue());
		view.put("waiting", !info.latency().isZero());
		view.put("size", info.size());
		view.put("groups", info.groups());
		for (TaskState state : TaskState.stored()) {
			view.put(state.wireName(), info.size(state));
		}
		view.put("processed", info.processed());
		view.put("failed", info.failed());
		view.put("processedTotal", info.processedTotal());
		view.put("failedTotal", info.failedTotal());
		view.put("paused", info.paused());
		return view;
	}

	static Map<String, Object> server(ServerInfo info) {
		Map<String, Object> view = new HashMap<>();
		view.put("concurrency", info.concurrency());
		view.put("queues", info.queues());
		view.put("strict", info.strictPriority());
		view.put("status", info.status());
		view.put("started", seconds(info.startedAt()));
		view.put("workers",
				info.workers().stream().sorted(Comparator.comparing(WorkerInfo::taskId)).map(Views::worker).toList());
		return view;
	}

	static String text(byte @Nullable [] bytes) {
		return (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : "";
	}

	static long seconds(@Nullable Instant instant) {
		return (instant != null) ? instant.getEpochSecond() : 0;
	}

	private static Map<String, Object> worker(WorkerInfo info) {
		return Map.of("id", info.taskId(), "type", info.task().type(), "payload", text(info.task().payload()), "queue",
				info.queue(), "started", seconds(info.startedAt()), "deadline", seconds(info.deadline()));
	}

}
