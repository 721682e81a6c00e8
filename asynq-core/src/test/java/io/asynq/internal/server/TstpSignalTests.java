package io.asynq.internal.server;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import sun.misc.Signal;
import sun.misc.SignalHandler;

import static org.assertj.core.api.Assertions.assertThat;

@ResourceLock("SIGTSTP")
@Timeout(60)
class TstpSignalTests {

	private static final Signal TSTP = new Signal("TSTP");

	private final Semaphore others = new Semaphore(0);

	private final Semaphore first = new Semaphore(0);

	private final Semaphore second = new Semaphore(0);

	private SignalHandler before;

	@BeforeEach
	void handle() {
		this.before = Signal.handle(TSTP, (signal) -> this.others.release());
	}

	@AfterEach
	void giveBack() {
		Signal.handle(TSTP, this.before);
	}

	@Test
	void reachesAllServersOfTheJvm() throws Exception {
		TstpSignal one = new TstpSignal(this.first::release);
		TstpSignal other = new TstpSignal(this.second::release);
		one.await();
		other.await();
		Signal.raise(TSTP);
		assertThat(this.first.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.second.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		one.release();
		Signal.raise(TSTP);
		assertThat(this.second.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.first.tryAcquire()).isFalse();
		other.release();
	}

	@Test
	void lastServerRestoresPreviousHandler() throws Exception {
		TstpSignal one = new TstpSignal(this.first::release);
		one.await();
		one.await();
		one.release();
		Signal.raise(TSTP);
		assertThat(this.others.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.first.tryAcquire()).isFalse();
	}

}
