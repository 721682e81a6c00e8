package io.asynq.internal.lane;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * How long information is awaited.
 */
@Timeout(120)
class LanesTests {

	@Test
	void singleRedisIsAwaitedAndItsErrorIsThrown() {
		try (TestLanes single = TestLanes.single()) {
			LaneThreads threads = single.lanes().threads("test");
			assertThat(single.lanes().ask(threads, "servers", () -> "all")).isEqualTo("all");
			assertThatExceptionOfType(BrokerException.class)
				.isThrownBy(() -> single.lanes().ask(threads, "servers", () -> {
					throw new BrokerException("refused", null);
				}));
		}
	}

	@Test
	void ofSeveralOneThatHangsIsAwaitedOnceAndUsedAgainAfterItWasInTime() {
		CountDownLatch hang = new CountDownLatch(1);
		AtomicInteger asked = new AtomicInteger();
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1"), TestLanes.HANGING)) {
			LaneThreads threads = cluster.lanes().threads("test");
			assertThat(cluster.lanes().ask(threads, "servers", () -> {
				asked.incrementAndGet();
				return held(hang);
			})).isNull();
			assertThat(cluster.lanes().ask(threads, "servers", asked::incrementAndGet)).as("one is under way").isNull();
			assertThat(cluster.lanes().ask(threads, "held", () -> "other")).isEqualTo("other");
			assertThat(asked).hasValue(1);
			hang.countDown();
			await().until(() -> cluster.lanes().ask(threads, "servers", () -> "again") != null);
		}
	}

	@Test
	void ofSeveralAnErrorIsNoAnswer() {
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1"))) {
			assertThat(cluster.lanes().<String>ask(cluster.lanes().threads("test"), "servers", () -> {
				throw new BrokerException("refused", null);
			})).isNull();
		}
	}

	private static String held(CountDownLatch latch) {
		try {
			return latch.await(60, TimeUnit.SECONDS) ? "late" : "never";
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
