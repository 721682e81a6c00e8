package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.text.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which errors of loops become a line.
 */
class LoopErrorLogTests {

	private final AtomicLong nanos = new AtomicLong();

	private final LoopErrorLog errors = new LoopErrorLog(this.nanos::get);

	private final LogCapture log = LogCapture.of(LoopErrorLog.class, Level.WARN);

	@AfterEach
	void stop() {
		this.log.close();
	}

	@Test
	void nextLineFollowsAfterThreeSecondsWithSuppressedCount() {
		for (int i = 0; i < 5; i++) {
			this.errors.warn("loop" + i, away());
		}
		pass(Duration.ofSeconds(3).minusNanos(1));
		this.errors.warn("other loop", away());
		assertThat(this.log.lines()).hasSize(1);
		pass(Duration.ofNanos(1));
		this.errors.warn("other loop", away());
		assertThat(this.log.lines()).hasSize(2);
		assertThat(this.log.lines().get(1).getFormattedMessage()).startsWith("other loop")
			.contains("and 5 more errors");
	}

	@Test
	void sameLineIsLoggedOnceMinute() {
		for (int second = 0; second < 60; second++) {
			this.errors.warn("loop", new BrokerException("key 'a' has the wrong type", null));
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.log.lines()).hasSize(1);
		this.errors.warn("loop", new BrokerException("key 'b' has the wrong type", null));
		assertThat(this.log.lines()).as("another line").hasSize(2);
		pass(Duration.ofSeconds(3));
		this.errors.warn("loop", new BrokerException("key 'a' has the wrong type", null));
		assertThat(this.log.lines()).as("the first again").hasSize(3);
	}

	@Test
	void nextFailureOfLoopThatHasWorkedIsLogged() {
		this.errors.warn("loop", away());
		pass(Duration.ofSeconds(4));
		this.errors.over("another loop");
		this.errors.warn("loop", away());
		assertThat(this.log.lines()).hasSize(1);
		this.errors.over("loop");
		this.errors.warn("loop", away());
		assertThat(this.log.lines()).hasSize(2);
	}

	@Test
	void logKnowsLastErrorEvenIfItWroteNoLine() {
		assertThat(this.errors.last()).isNull();
		this.errors.warn("one", new BrokerUnavailableException("first", null));
		this.errors.warn("two", new BrokerUnavailableException("second", null));
		assertThat(this.errors.last()).extracting(LoopErrorLog.Last::subject, LoopErrorLog.Last::error)
			.containsExactly("two", "second");
		assertThat(this.log.lines()).hasSize(1);
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	private static BrokerUnavailableException away() {
		return new BrokerUnavailableException("Redis is away", null);
	}

}
