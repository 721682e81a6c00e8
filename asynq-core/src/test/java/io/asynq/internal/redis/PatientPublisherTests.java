package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(300)
class PatientPublisherTests {

	private final List<String> listed = new CopyOnWriteArrayList<>();

	private final CountDownLatch answers = new CountDownLatch(1);

	private volatile Consumer<List<String>> redis = this.listed::addAll;

	/** Waits also on a machine that stands still for a while. */
	private PatientPublisher publisher = new PatientPublisher((names) -> this.redis.accept(names),
			Duration.ofMinutes(1));

	@AfterEach
	void end() {
		this.answers.countDown();
		this.publisher.close();
	}

	@Test
	void returnsWhenNodeAnswers() {
		this.publisher.publish("a");
		assertThat(this.listed).containsExactly("a");
	}

	@Test
	void returnsBesideHangingNodeAndListsLater() {
		this.publisher = new PatientPublisher((names) -> this.redis.accept(names));
		this.redis = (names) -> {
			awaitQuietly(this.answers);
			this.listed.addAll(names);
		};
		this.publisher.publish("a");
		this.publisher.publish("b");
		assertThat(this.listed).isEmpty();
		this.answers.countDown();
		await().untilAsserted(() -> assertThat(this.listed).contains("a", "b"));
	}

	@Test
	void retriesInBackgroundWhenNodeWasUnreachable() {
		this.redis = (names) -> {
			throw new BrokerUnavailableException("away", null);
		};
		this.publisher.publish("a");
		this.publisher.publish("b");
		this.redis = this.listed::addAll;
		await().untilAsserted(() -> assertThat(this.listed).containsExactlyInAnyOrder("a", "b"));
	}

	@Test
	void forgottenQueueIsNotListed() {
		this.redis = (names) -> {
			throw new BrokerUnavailableException("away", null);
		};
		this.publisher.publish("a");
		this.publisher.publish("b");
		this.publisher.forget("a");
		this.redis = this.listed::addAll;
		await().untilAsserted(() -> assertThat(this.listed).containsExactly("b"));
	}

	@Test
	void errorOfRedisIsReported() {
		this.redis = (names) -> {
			throw new BrokerException("WRONGTYPE", null);
		};
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.publisher.publish("a"))
			.withMessage("WRONGTYPE");
		this.redis = this.listed::addAll;
		this.publisher.publish("a");
		assertThat(this.listed).containsExactly("a");
	}

	@Test
	void nextCallerIsServedWhateverEndsTheThread() {
		this.publisher = new PatientPublisher((names) -> this.redis.accept(names));
		this.redis = (names) -> {
			throw new BrokerUnavailableException("away", null) {
				@Override
				public String getMessage() {
					throw new OutOfMemoryError("planted");
				}
			};
		};
		this.publisher.publish("a");
		this.redis = this.listed::addAll;
		await().untilAsserted(() -> {
			this.publisher.publish("b");
			assertThat(this.listed).contains("a", "b");
		});
	}

	@Test
	void stopsRetryingWhenClosed() throws Exception {
		CountDownLatch tried = new CountDownLatch(2);
		this.redis = (names) -> {
			tried.countDown();
			throw new BrokerUnavailableException("away", null);
		};
		this.publisher.publish("a");
		tried.await();
		this.publisher.close();
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().startsWith("asynq-queue-names-")));
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
