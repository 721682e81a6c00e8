package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.asynq.console.http.ConsoleEvents.Event;
import io.asynq.console.http.EventStreams.Times;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventStreamsTests {

	private static final Duration SOON = Duration.ofMillis(20);

	private static final Duration NEVER = Duration.ofDays(1);

	private final OneSource source = new OneSource();

	private final Semaphore ready = new Semaphore(0);

	@Test
	void somethingIsSentEverySoOftenAlsoWhenNothingHappens() throws InterruptedException {
		EventStream stream = open(new Times(SOON, NEVER));
		assertThat(List.of(next(stream), next(stream), next(stream))).containsOnly(": \n\n");
		assertThat(stream.isOver()).isFalse();
		stream.close();
		assertThat(this.source.ended.tryAcquire()).isTrue();
	}

	@Test
	void streamEndsAfterItsTimeAndTheBrowserComesAgainSoon() throws InterruptedException {
		EventStream stream = open(new Times(NEVER, SOON));
		List<String> sent = new ArrayList<>();
		do {
			sent.add(next(stream));
		}
		while (!stream.isOver());
		assertThat(sent).containsExactly(": \n\n", "retry: 1000\n\n");
		this.source.send(new Event("overview", "", Map.of()));
		assertThat(stream.poll()).isNull();
		stream.close();
		assertThat(this.source.ended.tryAcquire()).isTrue();
	}

	@Test
	void streamsLastForMinutesAndAreNotSilentForLong() {
		assertThat(Times.DEFAULT.longest()).isEqualTo(Duration.ofMinutes(10));
		assertThat(Times.DEFAULT.heartbeat()).isEqualTo(Duration.ofSeconds(15));
	}

	private EventStream open(Times times) {
		EventStream stream = new EventStreams(this.source,
				(data) -> String.valueOf(data).getBytes(StandardCharsets.UTF_8), times)
			.open(null);
		stream.start(Runnable::run, this.ready::release, () -> {
		});
		return stream;
	}

	private String next(EventStream stream) throws InterruptedException {
		for (;;) {
			String text = stream.poll();
			if (text != null) {
				return text;
			}
			assertThat(this.ready.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	/**
	 * Sends to the one that has subscribed.
	 */
	private static final class OneSource implements ConsoleEvents {

		private final Semaphore ended = new Semaphore(0);

		private Consumer<Event> subscriber = (event) -> {
		};

		@Override
		public Subscription subscribe(@Nullable String queue, Consumer<Event> subscriber) {
			this.subscriber = subscriber;
			return this.ended::release;
		}

		void send(Event event) {
			this.subscriber.accept(event);
		}

	}

}
