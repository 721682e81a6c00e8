package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * How tasks are unique by a key of one's own.
 */
@OnDrivers
class UniqueKeyContract extends BrokerContract {

	private static final String LOCK = "asynq:{default}:unique:invoice:=invoice-42";

	UniqueKeyContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void keyTakesThePlaceOfThePayload() {
		enqueue("t1", "invoice", "invoice-42");
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
		assertThat(this.state.stored(QUEUE, "t1").uniqueKey()).isEqualTo(LOCK);
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("unique_key", LOCK);
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> enqueue("t2", "invoice", "invoice-42"))
			.withMessageContaining("the same type and unique key");
		assertThat(this.broker.enqueuer().enqueueAll(List.of(request("t3", "invoice", "invoice-42")))).singleElement()
			.satisfies((error) -> assertThat(error).containsInstanceOf(DuplicateTaskException.class));
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void otherKeysTypesAndPayloadsHaveOtherLocks() {
		enqueue("t1", "invoice", "invoice-42");
		assertThatNoException().isThrownBy(() -> {
			enqueue("t2", "invoice", "invoice-43");
			enqueue("t3", "reminder", "invoice-42");
			enqueue("t4", "invoice", null);
			enqueue("t5", "a", "b:c");
			enqueue("t6", "a:b", "c");
			enqueue("t7", "a", "b%3Ac");
			// What Go names these locks by looks like a key
			enqueue("t8", "invoice:=invoice-42", null);
		});
		assertThat(this.state.redis().keys("asynq:{default}:unique:*")).hasSize(8);
	}

	@Test
	void lockIsReleasedWithTheTask() {
		enqueue("t1", "invoice", "invoice-42");
		LeasedTask taken = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		this.broker.completer().report(List.of(new Outcome.Done(taken)));
		assertThat(this.state.exists(LOCK)).isFalse();
		enqueue("t2", "invoice", "invoice-42");
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("t2"));
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	@Test
	void scheduledTaskHoldsLockToo() {
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(message("t1", "invoice"),
					new Placement.Scheduled(this.clock.instant().plusSeconds(60)), Duration.ofMinutes(5), "invoice-42",
					false));
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
		List<Optional<AsynqException>> errors = this.broker.enqueuer()
			.enqueueAll(List.of(request("t2", "invoice", "invoice-42"), request("t3", "invoice", "invoice-43")));
		assertThat(errors.get(0)).containsInstanceOf(DuplicateTaskException.class);
		assertThat(errors.get(1)).isEmpty();
	}

	private void enqueue(String id, String type, @Nullable String key) {
		this.broker.enqueuer().enqueue(request(id, type, key));
	}

	private static EnqueueRequest request(String id, String type, @Nullable String key) {
		return new EnqueueRequest(message(id, type), new Placement.Pending(), Duration.ofMinutes(5), key, false);
	}

	private static TaskMessage message(String id, String type) {
		return TaskMessage.builder(type, id, QUEUE).payload(utf8(id)).build();
	}

}
