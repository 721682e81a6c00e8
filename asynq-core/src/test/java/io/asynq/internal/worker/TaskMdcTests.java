package io.asynq.internal.worker;

import java.util.HashMap;
import java.util.Map;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;

class TaskMdcTests {

	private final TaskMessage task = TestMessages.message("t1").retried(2).build();

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void namesTaskUntilItIsRemoved() {
		MDC.put("request", "r7");
		TaskMdc.put(this.task);
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("request", "r7", "asynq.task.id", "t1",
				"asynq.task.type", "email:welcome", "asynq.task.queue", "default", "asynq.task.attempt", "3"));
		TaskMdc.remove();
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("request", "r7"));
	}

	@Test
	void linesAboutAnotherTaskLeaveTheOneAtWork() {
		TaskMdc.put(this.task);
		Map<String, String> during = new HashMap<>();
		TaskMdc.during(TestMessages.message("t2").build(), () -> during.putAll(MDC.getCopyOfContextMap()));
		assertThat(during).containsEntry("asynq.task.id", "t2").containsEntry("asynq.task.attempt", "1");
		assertThat(MDC.get("asynq.task.id")).isEqualTo("t1");
		assertThat(MDC.get("asynq.task.attempt")).isEqualTo("3");
	}

	@Test
	void linesInThreadWithoutTaskLeaveNothing() {
		TaskMdc.during(this.task, () -> {
		});
		assertThat(MDC.get("asynq.task.id")).isNull();
		assertThat(MDC.get("asynq.task.type")).isNull();
		assertThat(MDC.get("asynq.task.queue")).isNull();
		assertThat(MDC.get("asynq.task.attempt")).isNull();
	}

	@Test
	void textFromOutsideCannotForgeLines() {
		TaskMdc.put(TaskMessage.builder("a\nb", "t\r\n1", "q\u001b").retried(1000).build());
		assertThat(MDC.get("asynq.task.id")).isEqualTo("t\\r\\n1");
		assertThat(MDC.get("asynq.task.type")).isEqualTo("a\\nb");
		assertThat(MDC.get("asynq.task.queue")).isEqualTo("q\\u001b");
		assertThat(MDC.get("asynq.task.attempt")).isEqualTo("1001");
	}

}
