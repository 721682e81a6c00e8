package io.asynq.internal.worker;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.MdcKeys;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** A listener that throws or hangs must not hold up other tasks. */
public final class GuardedBrokenTaskListener implements BrokenTaskListener {

	private static final Logger logger = OneLineLogger.of(GuardedBrokenTaskListener.class);

	private static final long PATIENCE_MILLIS = 1000;

	private static final int MOST_WAITING = 1000;

	private final BrokenTaskListener listener;

	private final long patienceMillis;

	private final ThreadPoolExecutor thread;

	/** Set while the listener hangs: whoever comes meanwhile does not wait. */
	private volatile boolean late;

	private volatile boolean full;

	private volatile @Nullable Thread telling;

	public GuardedBrokenTaskListener(BrokenTaskListener listener) {
		this(listener, PATIENCE_MILLIS);
	}

	public GuardedBrokenTaskListener(BrokenTaskListener listener, long patienceMillis) {
		this.listener = listener;
		this.patienceMillis = patienceMillis;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-broken-tasks-");
		threads.setDaemon(true);
		this.thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING),
				threads);
		this.thread.allowCoreThreadTimeOut(true);
	}

	@Override
	public void onBrokenTask(BrokenTask task) {
		if (Thread.currentThread() == this.telling) {
			// The listener has found another broken task itself, and must not wait for
			// itself
			tell(task);
			return;
		}
		CountDownLatch told = new CountDownLatch(1);
		try {
			this.thread.execute(() -> {
				this.telling = Thread.currentThread();
				tell(task);
				told.countDown();
			});
			this.full = false;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			tellThatItIsFull();
			return;
		}
		if (!this.late) {
			await(told);
		}
	}

	private void tell(BrokenTask task) {
		Map<String, String> before = MDC.getCopyOfContextMap();
		name(task);
		UserCode.run(() -> this.listener.onBrokenTask(task),
				(shown) -> logger.error(
						"BrokenTaskListener failed; a broken task in queue {} was dealt with nevertheless",
						task.queue(), shown));
		MDC.setContextMap((before != null) ? before : Map.of());
		this.late = false;
	}

	/** Nothing else is known of a task whose message is broken. */
	private static void name(BrokenTask task) {
		MDC.put(MdcKeys.TASK_QUEUE, OneLineLogger.printable(task.queue()));
		if (task.kind() != BrokenTask.Kind.UNUSABLE_KEY) {
			MDC.put(MdcKeys.TASK_ID, OneLineLogger.printable(task.id()));
		}
	}

	private void await(CountDownLatch told) {
		try {
			if (!told.await(this.patienceMillis, TimeUnit.MILLISECONDS)) {
				this.late = true;
				logger.warn("BrokenTaskListener has not returned for {} ms; nothing waits for it until it does",
						this.patienceMillis);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void tellThatItIsFull() {
		if (!this.full) {
			this.full = true;
			logger.warn("BrokenTaskListener has no thread, or does not return while {} calls wait for it: more are"
					+ " dropped", MOST_WAITING);
		}
	}

}
