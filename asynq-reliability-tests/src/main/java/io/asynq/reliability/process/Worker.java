package io.asynq.reliability.process;

import java.time.Duration;

/**
 * A server with its handlers in a process of its own. Its name is that of its file in the
 * ledger.
 */
public final class Worker {

	private static final Duration START = Duration.ofSeconds(90);

	/** More than the time that a shutdown gives to running tasks. */
	private static final Duration END = Duration.ofSeconds(40);

	private final WorkerKind kind;

	private final Child process;

	Worker(WorkerKind kind, Child process) {
		this.kind = kind;
		this.process = process;
	}

	public String name() {
		return this.process.name();
	}

	public WorkerKind kind() {
		return this.kind;
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

	/**
	 * Ends it with SIGKILL; returns when it is gone.
	 */
	public void kill() {
		this.process.close();
	}

	void askToEnd() {
		this.process.askToEnd();
	}

	/**
	 * Ends it with SIGTERM; returns when it is gone.
	 * @throws InterruptedException when the run is given up
	 */
	public void terminate() throws InterruptedException {
		if (!this.process.terminate(END)) {
			throw new IllegalStateException(name() + " did not end within " + END + " after SIGTERM");
		}
		this.process.close();
	}

	/**
	 * Stops it with SIGSTOP: it holds what it has and does nothing.
	 */
	public void suspend() {
		this.process.signal("STOP");
	}

	/**
	 * Lets it go on after {@link #suspend()}.
	 */
	public void resume() {
		this.process.signal("CONT");
	}

	@Override
	public String toString() {
		return name() + " (pid " + pid() + ")";
	}

}
