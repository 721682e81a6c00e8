package io.asynq.operations.preflight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.asynq.AsynqException;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * Unless findings are to stop the start, checking neither waits for Redis nor delays
 * anything, and leaves what it cannot ask to the server's loops, which name the cause.
 */
public final class Preflight implements SmartLifecycle {

	private static final Logger logger = OneLineLogger.of(Preflight.class);

	private static final Duration UNTIL_REDIS_ANSWERS = Duration.ofSeconds(5);

	private final Supplier<StoreReport> store;

	private final List<Finding> settings;

	private final PreflightMode mode;

	private final BooleanSupplier autoStartup;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

	public Preflight(Supplier<StoreReport> store, List<Finding> settings, PreflightMode mode,
			BooleanSupplier autoStartup) {
		this.store = store;
		this.settings = settings;
		this.mode = mode;
		this.autoStartup = autoStartup;
	}

	@Override
	public void start() {
		if (isRunning() || this.mode == PreflightMode.OFF) {
			return;
		}
		if (this.mode == PreflightMode.FAIL) {
			require();
		}
		CountDownLatch until = new CountDownLatch(1);
		this.stopped = until;
		if (this.mode == PreflightMode.WARN) {
			Thread thread = new Thread(() -> warn(until), "asynq-preflight");
			thread.setDaemon(true);
			thread.start();
		}
	}

	@Override
	public void stop() {
		this.stopped.countDown();
	}

	@Override
	public boolean isRunning() {
		return this.stopped.getCount() > 0;
	}

	@Override
	public boolean isAutoStartup() {
		return this.autoStartup.getAsBoolean();
	}

	@Override
	public int getPhase() {
		return ServerPhase.HEARTBEATER.value() - 1;
	}

	private void require() {
		List<Finding> findings = new ArrayList<>(this.settings);
		try {
			StoreReport report = this.store.get();
			report.notChecked().forEach(Preflight::tellNotChecked);
			findings.addAll(report.findings());
		}
		catch (AsynqException ex) {
			findings.add(new Finding("Redis could not be checked (" + ex.getMessage() + ")",
					"start Redis first, or set asynq.server.preflight=warn"));
		}
		if (!findings.isEmpty()) {
			throw new PreflightFailedException(List.copyOf(findings));
		}
	}

	private void warn(CountDownLatch until) {
		this.settings.forEach(Preflight::tell);
		try {
			while (until.getCount() > 0 && !isTold()) {
				until.await(UNTIL_REDIS_ANSWERS.toNanos(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isTold() {
		try {
			StoreReport report = this.store.get();
			report.findings().forEach(Preflight::tell);
			report.notChecked().forEach(Preflight::tellNotChecked);
		}
		catch (AsynqException ex) {
			logger.debug("Redis cannot be checked yet", ex);
			return false;
		}
		catch (RuntimeException ex) {
			logger.warn("Redis was not checked, because the check itself failed", ex);
		}
		return true;
	}

	private static void tell(Finding finding) {
		logger.warn("{}. To do: {}", finding.problem(), finding.fix());
	}

	private static void tellNotChecked(String what) {
		logger.info("Not checked: {}", what);
	}

}
