package io.asynq.reliability.process;

import java.time.Duration;

import io.asynq.test.process.Child;

/** Its name is that of its file in the ledger. */
public record Worker(WorkerKind kind, Child process) {

	private static final Duration START = Duration.ofMinutes(3);

	/** Longer than the shutdown time-out. */
	private static final Duration END = Duration.ofSeconds(40);

	public String name() {
		return this.process.name();
	}

	public long pid() {
		return this.process.pid();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	public boolean isReady() {
		return this.process.isReady();
	}

	public void awaitReady() throws InterruptedException {
		this.process.awaitReady(START);
	}

	public void kill() {
		this.process.close();
	}

	void askToEnd() {
		this.process.askToEnd();
	}

	public void terminate() throws InterruptedException {
		if (!this.process.terminate(END)) {
			throw new IllegalStateException(name() + " did not end within " + END + " after SIGTERM");
		}
		this.process.close();
	}

	public void suspend() {
		this.process.signal("STOP");
	}

	public void resume() {
		this.process.signal("CONT");
	}

	@Override
	public String toString() {
		return name() + " (pid " + pid() + ")";
	}

}
