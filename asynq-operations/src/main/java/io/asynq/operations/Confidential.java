package io.asynq.operations;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import org.jspecify.annotations.Nullable;

/**
 * A last error stays, since an operator cannot do without it; asynq itself puts no
 * payload there.
 */
public final class Confidential {

	private static final String HIDDEN = "******";

	private Confidential() {
	}

	public static TaskInfo hide(TaskInfo task) {
		return TaskInfo
			.builder(task.id(), task.queue(), hide(Task.of(task.type(), (byte[]) null).withHeaders(task.headers())),
					task.state())
			.maxRetry(task.maxRetry())
			.retried(task.retried())
			.lastError(task.lastError())
			.lastFailedAt(task.lastFailedAt())
			.timeout(task.timeout())
			.deadline(task.deadline())
			.group(task.group())
			.nextProcessAt(task.nextProcessAt())
			.pendingSince(task.pendingSince())
			.waitsFor(task.waitsFor())
			.orphaned(task.orphaned())
			.retention(task.retention())
			.completedAt(task.completedAt())
			.build();
	}

	public static ServerInfo hide(ServerInfo server) {
		List<WorkerInfo> workers = server.workers()
			.stream()
			.map((worker) -> new WorkerInfo(worker.taskId(), hide(worker.task()), worker.queue(), worker.startedAt(),
					worker.deadline()))
			.toList();
		return new ServerInfo(server.id(), server.host(), server.pid(), server.concurrency(), server.queues(),
				server.strictPriority(), server.status(), server.startedAt(), workers, server.held());
	}

	public static SchedulerEntry hide(SchedulerEntry entry) {
		// Go's texts of options contain the headers
		List<String> texts = entry.optionTexts().stream().filter((text) -> !text.startsWith("Header")).toList();
		return new SchedulerEntry(entry.id(), entry.spec(), hide(entry.task()), entry.options(), texts, entry.next(),
				entry.previous());
	}

	private static Task hide(Task task) {
		Map<String, @Nullable String> headers = new LinkedHashMap<>();
		task.headers().keySet().forEach((name) -> headers.put(name, HIDDEN));
		return Task.of(task.type(), (byte[]) null).withHeaders(headers);
	}

}
