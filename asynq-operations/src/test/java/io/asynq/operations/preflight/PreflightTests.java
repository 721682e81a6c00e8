package io.asynq.operations.preflight;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lifecycle.ServerPhase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PreflightTests {

	private static final Finding EVICTION = new Finding("Redis deletes keys", "set maxmemory-policy noeviction");

	private static final Finding POOL = new Finding("The pool is small", "make it larger");

	private final Logger logger = (Logger) LoggerFactory.getLogger(Preflight.class);

	private final Lines log = new Lines();

	private final AtomicInteger checks = new AtomicInteger();

	@BeforeEach
	void listen() {
		this.log.start();
		this.logger.setLevel(Level.DEBUG);
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@Test
	void eachFindingIsOneWarningWithItsFixAndWhatIsForbiddenIsNoWarning() throws Exception {
		Preflight preflight = preflight(PreflightMode.WARN,
				() -> new StoreReport(List.of(EVICTION), List.of("the clock: the Redis user may not ask")));
		preflight.start();
		assertThat(this.log.next()).isEqualTo("WARN The pool is small. To do: make it larger");
		assertThat(this.log.next()).isEqualTo("WARN Redis deletes keys. To do: set maxmemory-policy noeviction");
		assertThat(this.log.next()).isEqualTo("INFO Not checked: the clock: the Redis user may not ask");
		assertThat(preflight.isRunning()).isTrue();
		preflight.stop();
		assertThat(preflight.isRunning()).isFalse();
	}

	@Test
	void startDoesNotWaitForRedisAndDoesNotWarnOfIt() throws Exception {
		Preflight preflight = preflight(PreflightMode.WARN, () -> {
			throw new BrokerUnavailableException("Redis is away", null);
		});
		preflight.start();
		assertThat(this.log.next()).startsWith("WARN The pool");
		assertThat(this.log.next()).isEqualTo("DEBUG Redis cannot be checked yet");
		preflight.stop();
	}

	@Test
	void checkThatFailsIsToldOnce() throws Exception {
		Preflight preflight = preflight(PreflightMode.WARN, () -> {
			throw new IllegalStateException("a bug");
		});
		preflight.start();
		this.log.next();
		assertThat(this.log.next()).startsWith("WARN Redis was not checked");
		preflight.stop();
	}

	@Test
	void findingStopsTheStart() {
		Preflight preflight = preflight(PreflightMode.FAIL, () -> new StoreReport(List.of(EVICTION), List.of()));
		assertThatExceptionOfType(PreflightFailedException.class).isThrownBy(preflight::start)
			.satisfies((failure) -> assertThat(failure.findings()).containsExactly(POOL, EVICTION))
			.withMessageContaining("1 more finding");
		assertThat(preflight.isRunning()).isFalse();
	}

	@Test
	void redisThatCannotBeCheckedStopsTheStart() {
		Preflight preflight = new Preflight(() -> {
			throw new BrokerUnavailableException("Redis is away", null);
		}, List.of(), PreflightMode.FAIL, () -> true);
		assertThatExceptionOfType(PreflightFailedException.class).isThrownBy(preflight::start)
			.withMessageContaining("Redis is away");
	}

	@Test
	void startsWhenNothingIsFound() {
		Preflight preflight = new Preflight(() -> new StoreReport(List.of(), List.of()), List.of(), PreflightMode.FAIL,
				() -> true);
		preflight.start();
		assertThat(preflight.isRunning()).isTrue();
		preflight.stop();
	}

	@Test
	void asksNothingIfItIsOff() {
		Preflight preflight = preflight(PreflightMode.OFF, () -> new StoreReport(List.of(EVICTION), List.of()));
		preflight.start();
		assertThat(this.checks).hasValue(0);
		assertThat(preflight.isRunning()).isFalse();
	}

	@Test
	void comesBeforeTheServer() {
		assertThat(preflight(PreflightMode.WARN, () -> new StoreReport(List.of(), List.of())).getPhase())
			.isLessThan(ServerPhase.HEARTBEATER.value());
	}

	private Preflight preflight(PreflightMode mode, Supplier<StoreReport> check) {
		return new Preflight(() -> {
			this.checks.incrementAndGet();
			return check.get();
		}, List.of(POOL), mode, () -> true);
	}

	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

		@Override
		protected void append(ILoggingEvent event) {
			this.lines.add(event.getLevel() + " " + event.getFormattedMessage());
		}

		String next() throws InterruptedException {
			return String.valueOf(this.lines.poll(30, TimeUnit.SECONDS));
		}

	}

}
