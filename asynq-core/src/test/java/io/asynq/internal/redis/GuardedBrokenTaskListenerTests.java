package io.asynq.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.internal.worker.GuardedBrokenTaskListener;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

class GuardedBrokenTaskListenerTests {

	/** Also for a machine that stands still for a while. */
	private static final long LONG_MILLIS = 60_000;

	@Test
	void exceptionsOfListenersAreContained() {
		BrokenTask task = new BrokenTask("default", "t1", BrokenTask.Kind.MISSING);
		for (Throwable error : new Throwable[] { new IllegalStateException("planted"), new OutOfMemoryError("planted"),
				new Exception("checked"), new Hostile() }) {
			assertThatCode(() -> new GuardedBrokenTaskListener((broken) -> sneak(error)).onBrokenTask(task))
				.doesNotThrowAnyException();
		}
	}

	@Test
	void hangingListenerBlocksNobodyAndGetsTheRestLater() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		List<String> told = new CopyOnWriteArrayList<>();
		BrokenTaskListener listener = new GuardedBrokenTaskListener((broken) -> {
			awaitStubbornly(release);
			told.add(broken.id());
		});
		// Otherwise it hangs in the first of them
		Thread caller = new Thread(() -> {
			for (int i = 1; i <= 20; i++) {
				listener.onBrokenTask(new BrokenTask("default", "t" + i, BrokenTask.Kind.MISSING));
			}
		});
		caller.start();
		caller.join(60_000);
		assertThat(caller.isAlive()).isFalse();
		assertThat(told).isEmpty();
		release.countDown();
		await().until(() -> told.size() == 20);
		assertThat(told).startsWith("t1", "t2", "t3");
	}

	@Test
	void backlogOfHangingListenerIsBounded() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger told = new AtomicInteger();
		BrokenTaskListener listener = new GuardedBrokenTaskListener((broken) -> {
			awaitStubbornly(release);
			told.incrementAndGet();
		});
		for (int i = 0; i < 5000; i++) {
			listener.onBrokenTask(new BrokenTask("default", "t" + i, BrokenTask.Kind.MISSING));
		}
		release.countDown();
		await().until(() -> told.get() >= 1000);
		assertThat(told).hasValueLessThan(1100);
	}

	@Test
	void mdcNamesTheTaskWhileItIsTold() {
		List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
		BrokenTaskListener listener = new GuardedBrokenTaskListener((broken) -> seen.add(MDC.getCopyOfContextMap()),
				LONG_MILLIS);
		listener.onBrokenTask(new BrokenTask("default", "t\n1", BrokenTask.Kind.UNDECODABLE));
		listener.onBrokenTask(new BrokenTask("low", "asynq:{low}:active", BrokenTask.Kind.UNUSABLE_KEY));
		assertThat(seen).containsExactly(Map.of("asynq.task.id", "t\\n1", "asynq.task.queue", "default"),
				Map.of("asynq.task.queue", "low"));
	}

	@Test
	void listenerIsCalledSynchronously() {
		List<String> told = new ArrayList<>();
		BrokenTaskListener listener = new GuardedBrokenTaskListener((broken) -> told.add(broken.id()), LONG_MILLIS);
		listener.onBrokenTask(new BrokenTask("default", "t1", BrokenTask.Kind.MISSING));
		assertThat(told).containsExactly("t1");
	}

	@Test
	void reentrantCallDoesNotDeadlock() {
		List<String> told = new CopyOnWriteArrayList<>();
		AtomicReference<BrokenTaskListener> itself = new AtomicReference<>();
		itself.set(new GuardedBrokenTaskListener((broken) -> {
			if (broken.id().equals("t1")) {
				itself.get().onBrokenTask(new BrokenTask("default", "t2", BrokenTask.Kind.MISSING));
			}
			told.add(broken.id());
		}));
		itself.get().onBrokenTask(new BrokenTask("default", "t1", BrokenTask.Kind.MISSING));
		await().until(() -> told.size() == 2);
		assertThat(told).containsExactly("t2", "t1");
	}

	private static void awaitStubbornly(CountDownLatch latch) {
		boolean interrupted = false;
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> void sneak(Throwable error) throws E {
		throw (E) error;
	}

	private static final class Hostile extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("message");
		}

	}

}
