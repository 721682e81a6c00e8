package io.asynq.reliability.worker;

import java.util.Map;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;

/** Records nothing, because a long run would fill the disk. */
final class SoakHandler {

	@TaskHandler("soak")
	byte[] handle(Map<String, Integer> payload, TaskContext context) {
		return context.taskId().getBytes();
	}

}
