package io.asynq.observation;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.asynq.AsynqClient;
import io.asynq.BrokerUnavailableException;
import io.asynq.ClientOptions;
import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.test.FakeBroker;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.transport.SenderContext;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is observed of enqueueing, and which headers tasks get.
 */
class ObservedClientTests {

	private static final String ENQUEUE = "asynq.task.enqueue";

	private final FakeBroker broker = new FakeBroker();

	private final RecordedObservations recorded = new RecordedObservations();

	private final ClientOptions options = ClientOptions.builder().clock(Clock.systemUTC()).build();

	private final Observers observers = new Observers(TaskEvents.none(), this.recorded.observations());

	private final AsynqClient client = this.broker.client(this.options, this.observers, null);

	private final DefaultAsynqClient fires = new DefaultAsynqClient(this.broker.enqueuer(), this.options,
			this.observers, null);

	@Test
	void storedTaskIsObserved() {
		this.client.enqueue(Task.of("mail", ""), TaskOptions.of((o) -> o.queue("low")));
		assertThat(this.recorded.ended(ENQUEUE)).containsExactly("low mail succeeded none");
	}

	@Test
	void refusedTaskIsObserved() {
		this.broker.answer = (request) -> Optional.of(new DuplicateTaskException("no"));
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> this.client.enqueue("mail"));
		assertThat(this.recorded.ended(ENQUEUE)).containsExactly("default mail failed DuplicateTaskException");
		assertThat(this.recorded.registry().getCurrentObservation()).isNull();
	}

	@Test
	void eachTaskOfBatchIsObserved() {
		this.broker.answer = (request) -> request.message().type().equals("b")
				? Optional.of(new DuplicateTaskException("no")) : Optional.empty();
		this.client.enqueueAll(List.of(Task.of("a", ""), Task.of(" ", ""), Task.of("b", ""), Task.of("c", "")));
		assertThat(this.recorded.ended(ENQUEUE)).containsExactly("default a succeeded none",
				"default b failed DuplicateTaskException", "default c succeeded none");
		assertThat(this.recorded.running()).isEmpty();
	}

	@Test
	void batchThatFailsAsAWholeIsObserved() {
		this.broker.answer = (request) -> {
			throw new IllegalStateException("boom");
		};
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(Task.of("a", ""), Task.of("b", ""))));
		assertThat(this.recorded.ended(ENQUEUE)).containsExactly("default a failed IllegalStateException",
				"default b failed IllegalStateException");
	}

	@Test
	void tasksHaveHeadersOfTracerInRedisAndInTheAnswer() {
		trace();
		TaskInfo info = this.client.enqueue(Task.of("mail", "").withHeaders(Map.of("tenant", "t1")));
		assertThat(info.headers()).containsOnly(Map.entry("tenant", "t1"), Map.entry("traceparent", "1"));
		assertThat(this.broker.lastRequest().message().headers()).isEqualTo(info.headers());
		this.client.enqueueAll(List.of(Task.of("mail", "")));
		assertThat(this.broker.lastRequest().message().headers()).containsOnly(Map.entry("traceparent", "2"));
	}

	@Test
	void scheduledTasksAndFiresAskForLink() {
		trace();
		this.client.enqueue("mail", (o) -> o.processIn(Duration.ofHours(1)));
		assertThat(this.broker.lastRequest().message().headers()).containsEntry("x-asynq-trace", "link");
		this.client.enqueueAll(List.of(Task.of("mail", "")), TaskOptions.of((o) -> o.processIn(Duration.ofHours(1))));
		assertThat(this.broker.lastRequest().message().headers()).containsEntry("x-asynq-trace", "link");
		this.fires.fire(this.fires.request(Task.of("mail", ""), TaskOptions.none()),
				(request) -> Optional.of(this.fires.store(request)));
		assertThat(this.broker.lastRequest().message().headers()).containsEntry("x-asynq-trace", "link");
		// By hand, so it is processed at once
		this.fires.send(this.fires.request(Task.of("mail", ""), TaskOptions.none()));
		assertThat(this.broker.lastRequest().message().headers()).doesNotContainKey("x-asynq-trace");
	}

	@Test
	void fireOfAnotherSchedulerIsSkipped() {
		this.fires.fire(this.fires.request(Task.of("mail", ""), TaskOptions.none()), (request) -> Optional.empty());
		assertThat(this.recorded.ended(ENQUEUE)).containsExactly("default mail skipped none");
	}

	@Test
	void callToRedisIsWithinTheObservation() {
		this.broker.answer = (request) -> {
			assertThat(this.recorded.registry().getCurrentObservation()).isNotNull();
			return Optional.of(new BrokerUnavailableException("no answer", null));
		};
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> this.client.enqueue("mail"));
	}

	/**
	 * Numbers the tasks.
	 */
	private void trace() {
		this.recorded.registry().observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			private int number;

			@Override
			@SuppressWarnings("unchecked")
			public void onStart(Observation.Context context) {
				SenderContext<Map<String, String>> sender = (SenderContext<Map<String, String>>) context;
				sender.getSetter().set(sender.getCarrier(), "traceparent", String.valueOf(++this.number));
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return context instanceof SenderContext;
			}

		});
	}

}
