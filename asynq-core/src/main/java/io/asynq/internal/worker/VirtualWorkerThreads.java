package io.asynq.internal.worker;

import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

final class VirtualWorkerThreads implements WorkerThreads {

	private final Runnable onTaken;

	private volatile @Nullable SimpleAsyncTaskExecutor executor;

	VirtualWorkerThreads(Runnable onTaken) {
		this.onTaken = onTaken;
	}

	@Override
	public void start(Source source) {
		SimpleAsyncTaskExecutor created = new SimpleAsyncTaskExecutor(WorkerPool.THREAD_NAME_PREFIX);
		created.setVirtualThreads(true);
		this.executor = created;
	}

	@Override
	public void execute(Runnable work) {
		SimpleAsyncTaskExecutor present = this.executor;
		if (present == null) {
			throw new IllegalStateException("The server's worker threads are not started");
		}
		present.execute(() -> {
			this.onTaken.run();
			work.run();
		});
	}

	@Override
	public boolean fetchThemselves() {
		return false;
	}

	@Override
	public void freed() {
		// The processor waits for the slot and looks by itself
	}

	@Override
	public void stop() {
		SimpleAsyncTaskExecutor present = this.executor;
		this.executor = null;
		if (present != null) {
			present.close();
		}
	}

}
