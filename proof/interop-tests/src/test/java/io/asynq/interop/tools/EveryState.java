package io.asynq.interop.tools;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.JavaPeer;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A queue in which Java has left one task of every state, named after it, and a server
 * that runs the active one.
 *
 * @param java the writer
 * @param server the server
 */
record EveryState(JavaPeer java, PeerServer server) {

	static final String QUEUE = "mail";

	static EveryState of(JavaPeer java) {
		enqueue(java, "retry", (options) -> options.maxRetry(3));
		enqueue(java, "archived", (options) -> options.maxRetry(0));
		enqueue(java, "completed", (options) -> options.retention(Duration.ofHours(1)));
		enqueue(java, "active", (options) -> {
		});
		PeerServer server = java.serve(ServerSpec.ofDefaultQueue()
			.withQueues(Map.of(QUEUE, 2))
			.withShutdownTimeout(Duration.ofMillis(100))
			.with("retry", Behaviour.fail("try later"))
			.with("archived", Behaviour.fail("no more"))
			.with("completed", Behaviour.of(Action.OK).withResult("\"done\""))
			.with("active", Behaviour.of(Action.BLOCK)));
		await().untilAsserted(() -> assertThat(java.queue(QUEUE).tasks()).isEqualTo(
				Map.of(TaskState.ACTIVE, 1L, TaskState.RETRY, 1L, TaskState.ARCHIVED, 1L, TaskState.COMPLETED, 1L)));
		server.quiet();
		enqueue(java, "pending", (options) -> {
		});
		enqueue(java, "scheduled", (options) -> options.processIn(Duration.ofHours(1)));
		enqueue(java, "aggregating", (options) -> options.group("friends"));
		return new EveryState(java, server);
	}

	TaskView task(String id) {
		return this.java.task(QUEUE, id);
	}

	private static void enqueue(JavaPeer java, String id, Consumer<TaskOptions.Builder> options) {
		java.enqueue(Task.of(id, "{\"of\":\"" + id + "\"}"), TaskOptions.of((builder) -> {
			options.accept(builder);
			builder.queue(QUEUE).taskId(id);
		}));
	}

}
