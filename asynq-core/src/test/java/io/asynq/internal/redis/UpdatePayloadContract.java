package io.asynq.internal.redis;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the payload of a scheduled task is replaced by hand.
 */
@OnDrivers
class UpdatePayloadContract extends ByHandContract {

	UpdatePayloadContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void newPayloadChangesNothingElse() {
		byte[] unknown = UnknownFieldSet.newBuilder()
			.addField(99, UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8("new")).build())
			.build()
			.toByteArray();
		TaskMessage message = message("s1").retried(3)
			.errorMessage("boom")
			.uniqueKey(LOCK)
			.headers(Map.of("a", "1"))
			.unknownFields(unknown)
			.build();
		this.state.seedScheduled(in(60), message);
		this.state.seedLock(LOCK, "s1");
		this.state.seedField(QUEUE, "s1", "x-own", utf8("kept"));
		assertThat(this.broker.tasks().updatePayload(QUEUE, "s1", utf8("new"))).isEqualTo(done(TaskState.SCHEDULED));
		assertThat(this.state.stored(QUEUE, "s1")).usingRecursiveComparison()
			.isEqualTo(message.toBuilder().payload(utf8("new")).build());
		assertThat(this.state.fields(QUEUE, "s1")).containsEntry("x-own", "kept").containsEntry("unique_key", LOCK);
		this.state.assertScheduled(QUEUE, "s1");
		assertThat(this.state.exists(LOCK)).isTrue();
		this.broker.tasks().updatePayload(QUEUE, "s1", new byte[0]);
		assertThat(this.state.stored(QUEUE, "s1").payload()).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "DEFERRED" }, mode = EnumSource.Mode.EXCLUDE)
	void onlyScheduledTaskGetsNewPayload(TaskState state) {
		seed(state, message("t1").group("g").build());
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.broker.tasks().updatePayload(QUEUE, "t1", utf8("new")))
			.isEqualTo(new TaskMove.Result(Status.WRONG_STATE, state));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void missingOrUndecodableTaskGetsNoPayload() {
		assertThat(this.broker.tasks().updatePayload(QUEUE, "gone", utf8("new")).status()).isEqualTo(Status.NOT_FOUND);
		this.state.seedScheduled(in(1), message("bad").build(), message("empty").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		this.state.redis().opsForHash().delete("asynq:{default}:t:empty", "msg");
		assertThat(this.broker.tasks().updatePayload(QUEUE, "bad", utf8("new")).status()).isEqualTo(Status.BROKEN);
		assertThat(this.broker.tasks().updatePayload(QUEUE, "empty", utf8("new")).status()).isEqualTo(Status.BROKEN);
		assertThat(this.state.exists("asynq:{default}:t:gone")).isFalse();
	}

	@Test
	void messageChangedMeanwhileIsNotReplaced() {
		this.state.seedScheduled(in(1), message("s1").build());
		byte[] read = Objects.requireNonNull(this.state.bytes(QUEUE, "s1", "msg"));
		byte[] meanwhile = TaskMessageCodec.encode(message("s1").retried(1).build());
		this.state.seedField(QUEUE, "s1", "msg", meanwhile);
		List<Object> answer = RedisState.scripts(this.factory)
			.runList(LuaScript.UPDATE_PAYLOAD, "task 's1'", List.of("asynq:{default}:t:s1"), read, utf8("lost"));
		assertThat(answer.get(0)).isEqualTo(-4L);
		assertThat(this.state.bytes(QUEUE, "s1", "msg")).isEqualTo(meanwhile);
	}

}
