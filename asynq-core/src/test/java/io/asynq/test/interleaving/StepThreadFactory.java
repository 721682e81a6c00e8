package io.asynq.test.interleaving;

/**
 * Stands for a
 * {@link org.springframework.scheduling.concurrent.CustomizableThreadFactory}.
 */
public final class StepThreadFactory {

	private final String prefix;

	private int count;

	public StepThreadFactory(String prefix) {
		this.prefix = prefix;
	}

	public void setDaemon(boolean daemon) {
		// All are
	}

	public Thread newThread(Runnable work) {
		return new StepThread(work, this.prefix + ++this.count);
	}

}
