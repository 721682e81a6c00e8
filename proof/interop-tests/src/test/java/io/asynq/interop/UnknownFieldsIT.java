package io.asynq.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.internal.redis.proto.TaskMessage;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A later asynq may add fields to its messages: a Java server that rewrites such a
 * message keeps them.
 */
@InteropTest
class UnknownFieldsIT {

	private static final int NUMBER = 99;

	private static final UnknownFieldSet LATER = UnknownFieldSet.newBuilder()
		.addField(NUMBER, Field.newBuilder().addVarint(4711).build())
		.build();

	@ParameterizedTest
	@EnumSource
	void unknownFieldsSurviveProcessingByJava(Rewrite rewrite, Peers peers, RawRedis redis) throws IOException {
		TaskView task = peers.go()
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> rewrite.options(options)));
		peers.go().inspector().pause("default");
		addField(redis, task);
		peers.java().serve(ServerSpec.ofDefaultQueue().with("report", rewrite.behaviour));
		peers.go().inspector().unpause("default");
		await().untilAsserted(() -> assertThat(peers.go().task(task).state()).isEqualTo(rewrite.state));
		TaskMessage rewritten = TaskMessage.parseFrom(redis.message(task));
		assertThat(rewritten.getUnknownFields()).isEqualTo(LATER);
		assertThat(rewritten.getErrorMsg().isEmpty()).isEqualTo(rewrite.state == TaskState.COMPLETED);
	}

	private static void addField(RawRedis redis, TaskView task) throws IOException {
		ByteArrayOutputStream message = new ByteArrayOutputStream();
		message.write(redis.message(task));
		LATER.writeTo(message);
		redis.writeMessage(task, message.toByteArray());
	}

	/**
	 * The ways in which a server rewrites a message.
	 */
	enum Rewrite {

		RETRY(Behaviour.fail("no"), TaskState.RETRY, (options) -> options),

		ARCHIVE(Behaviour.fail("no"), TaskState.ARCHIVED, (options) -> options.maxRetry(0)),

		COMPLETE(Behaviour.of(Action.OK), TaskState.COMPLETED, (options) -> options.retention(Duration.ofMinutes(1)));

		private final Behaviour behaviour;

		private final TaskState state;

		private final UnaryOperator<TaskOptions.Builder> options;

		Rewrite(Behaviour behaviour, TaskState state, UnaryOperator<TaskOptions.Builder> options) {
			this.behaviour = behaviour;
			this.state = state;
			this.options = options;
		}

		private void options(TaskOptions.Builder builder) {
			this.options.apply(builder);
		}

	}

}
