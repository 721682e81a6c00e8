package io.asynq.internal.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.LoginRefusedException;
import io.asynq.internal.redis.TaskMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of who sends whose task when.
 */
@Timeout(300)
class SharedCallsTests {

	private final FakeStore store = new FakeStore();

	/** Runs when a test says so. */
	private static final Duration LONG = Duration.ofMinutes(5);

	private final LinkedBlockingQueue<Runnable> senders = new LinkedBlockingQueue<>();

	private final SharedCalls shared = new SharedCalls(this.store, 1, this.senders::add, LONG);

	@AfterEach
	void end() {
		this.store.redis.countDown();
	}

	@Test
	void callerWhoFindsNoCallSendsAtOnceInItsOwnThread() {
		this.store.redis.countDown();
		assertThat(this.shared.store(task("a"))).isOne();
		assertThat(this.store.threads).containsExactly(Thread.currentThread());
		assertThat(this.senders).isEmpty();
	}

	@Test
	void callersThatComeDuringACallGoTogetherInTheNextOne() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "b", "c", "d");
		this.store.redis.countDown();
		callers.get(0).ended();
		this.senders.take().run();
		callers.forEach(Caller::ended);
		assertThat(this.store.calls).containsExactly(List.of("first"), List.of("b", "c", "d"));
		assertThat(this.senders).isEmpty();
	}

	@Test
	void eachCallerGetsItsOwnAnswer() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "stored", "conflict", "duplicate");
		this.store.all = (ids) -> List.of(StoreAnswer.of(1), StoreAnswer.of(0), StoreAnswer.of(-1));
		this.store.redis.countDown();
		this.senders.take().run();
		assertThat(callers).extracting(Caller::code).containsExactly(1L, 1L, 0L, -1L);
	}

	@Test
	void errorOfACallReachesEachCallerAsItsOwn() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "b", "c", "d");
		BrokerException away = new BrokerUnavailableException("no answer (look for its id)", null);
		BrokerException login = new LoginRefusedException("wrong password", null);
		BrokerException full = new BrokerException("OOM", null);
		this.store.all = (ids) -> List.of(StoreAnswer.of(away), StoreAnswer.of(login), StoreAnswer.of(full));
		this.store.redis.countDown();
		this.senders.take().run();
		assertOwn(callers.get(1), away, "Task b (mail) in queue default", "no answer (look for its id)");
		assertOwn(callers.get(2), login, "Task c (mail) in queue default", "wrong password");
		assertOwn(callers.get(3), full, "Task d (mail) in queue default", "OOM");
		assertThat(callers.get(0).code()).isOne();
	}

	@Test
	void errorOfACallForASingleCallerIsItsError() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "b");
		BrokerException full = new BrokerException("OOM", null);
		this.store.one = (id) -> {
			if (id.equals("b")) {
				throw full;
			}
		};
		this.store.redis.countDown();
		this.senders.take().run();
		assertOwn(callers.get(1), full, "Task b (mail)", "OOM");
	}

	@Test
	void whateverIsThrownLeavesEveryCallerInDoubtAndTheNextCallGoes() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "b", "c");
		OutOfMemoryError error = new OutOfMemoryError("heap");
		this.store.all = (ids) -> {
			throw error;
		};
		this.store.redis.countDown();
		this.senders.take().run();
		for (Caller caller : callers.subList(1, 3)) {
			assertThat(caller.failure()).isExactlyInstanceOf(BrokerUnavailableException.class)
				.hasCause(error)
				.hasMessageContainingAll("may have been stored", "look for its id");
		}
		assertThat(this.shared.store(task("next"))).isOne();
	}

	@Test
	void missingAnswerLeavesItsCallerInDoubt() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "b", "c");
		this.store.all = (ids) -> List.of(StoreAnswer.of(1));
		this.store.redis.countDown();
		this.senders.take().run();
		assertThat(callers.get(1).code()).isOne();
		assertThat(callers.get(2).failure()).isInstanceOf(BrokerUnavailableException.class);
	}

	@Test
	void callThatEndsInAStackOverflowHandsOver() throws Exception {
		this.store.one = (id) -> {
			if (id.equals("first")) {
				throw new StackOverflowError();
			}
		};
		List<Caller> callers = callers(this.shared, "first", "b", "c");
		this.store.redis.countDown();
		assertThat(callers.get(0).failure()).isInstanceOf(StackOverflowError.class);
		this.senders.take().run();
		assertThat(callers.get(1).code()).isOne();
		assertThat(callers.get(2).code()).isOne();
	}

	@Test
	void interruptedCallerWaitsOnAndHurtsNobody() throws Exception {
		List<Caller> callers = callers(this.shared, "first", "b", "c");
		callers.get(1).thread.interrupt();
		// The interrupt has been noticed, and the caller waits again
		Awaitility.await().until(() -> !callers.get(1).thread.isInterrupted() && callers.get(1).waits());
		this.store.redis.countDown();
		this.senders.take().run();
		assertThat(callers).extracting(Caller::code).containsExactly(1L, 1L, 1L);
		assertThat(callers).extracting((caller) -> caller.interrupted).containsExactly(false, true, false);
	}

	@Test
	void callerThatHasWaitedForLongMakesItsOwnCall() throws Exception {
		SharedCalls line = new SharedCalls(this.store, 1, this.senders::add, Duration.ofMillis(50));
		List<Caller> callers = List.of(call(line, "first"), call(line, "b"));
		Awaitility.await().until(() -> this.store.calls.size() == 2);
		assertThat(this.store.calls).containsExactlyInAnyOrder(List.of("first"), List.of("b"));
		this.store.redis.countDown();
		callers.forEach(Caller::ended);
		Runnable late = this.senders.poll();
		if (late != null) {
			late.run();
		}
		assertThat(this.store.calls).as("stored once").hasSize(2);
	}

	@Test
	void callersSendByThemselvesWhenNoThreadCanBeHad() {
		for (Throwable reason : List.of(new OutOfMemoryError("unable to create native thread"),
				new RejectedExecutionException("closed"))) {
			FakeStore slow = new FakeStore();
			SharedCalls line = new SharedCalls(slow, 1, (work) -> sneaky(reason), LONG);
			List<Caller> callers = callers(line, "first", "b", "c");
			slow.redis.countDown();
			assertThat(callers).extracting(Caller::code).containsExactly(1L, 1L, 1L);
			assertThat(slow.threads).doesNotHaveDuplicates().hasSize(3);
		}
	}

	@Test
	void threadThatNeverBeginsDoesNotHoldUpTheLine() throws Exception {
		AtomicInteger refusals = new AtomicInteger();
		LinkedBlockingQueue<Runnable> lost = new LinkedBlockingQueue<>();
		SharedCalls line = new SharedCalls(this.store, 2, (work) -> {
			(refusals.getAndIncrement() == 0 ? lost : this.senders).add(work);
		}, Duration.ofMillis(200));
		List<Caller> callers = new ArrayList<>(List.of(call(line, "first"), call(line, "second"), call(line, "b")));
		this.store.redis.countDown();
		this.senders.take().run();
		callers.forEach(Caller::ended);
		assertThat(lost).hasSize(1);
	}

	@Test
	void twoCallsAreUnderWayAtMost() throws Exception {
		SharedCalls line = new SharedCalls(this.store, 2, this.senders::add, LONG);
		callers(line, "a", "b");
		assertThat(this.store.threads).hasSize(2);
		List<Caller> more = List.of(call(line, "c"), call(line, "d"));
		assertThat(this.store.threads).hasSize(2);
		this.store.redis.countDown();
		this.senders.take().run();
		more.forEach(Caller::ended);
	}

	@Test
	void aCallTakesNoMoreThanItsLimits() throws Exception {
		String[] ids = IntStream.range(0, 301).mapToObj(String::valueOf).toArray(String[]::new);
		List<Caller> callers = callers(this.shared, ids);
		this.store.redis.countDown();
		this.senders.take().run();
		callers.forEach(Caller::ended);
		assertThat(this.store.calls).extracting(List::size).containsExactly(1, 256, 44);
	}

	@Test
	void largeTasksDoNotAddUp() throws Exception {
		List<Caller> callers = new ArrayList<>(List.of(call(this.shared, "first")));
		for (int i = 0; i < 6; i++) {
			callers.add(call(this.shared, task("big" + i, 1_500_000)));
		}
		this.store.redis.countDown();
		this.senders.take().run();
		callers.forEach(Caller::ended);
		assertThat(this.store.calls).as("at most 4 MiB each").extracting(List::size).containsExactly(1, 2, 2, 2);
	}

	@Test
	void nobodyIsLostAndEachThreadKeepsItsOrder() {
		this.store.redis.countDown();
		Executor threads = new SimpleAsyncTaskExecutor("sender-");
		SharedCalls line = new SharedCalls(this.store, 2, threads, LONG);
		this.store.all = (ids) -> ids.stream().map((id) -> StoreAnswer.of(id.endsWith("7") ? 0 : 1)).toList();
		this.store.one = (id) -> {
			if (id.endsWith("7")) {
				throw new BrokerException("seven", null);
			}
		};
		List<CompletableFuture<List<String>>> callers = IntStream.range(0, 16)
			.mapToObj((thread) -> CompletableFuture.supplyAsync(() -> refused(line, thread),
					new SimpleAsyncTaskExecutor("caller-")))
			.toList();
		for (int thread = 0; thread < 16; thread++) {
			String prefix = thread + "-";
			assertThat(callers.get(thread).join()).hasSize(50).allMatch((id) -> id.endsWith("7"));
			assertThat(this.store.calls.stream().flatMap(List::stream).filter((id) -> id.startsWith(prefix)))
				.containsExactlyElementsOf(IntStream.range(0, 500).mapToObj((i) -> prefix + i).toList());
		}
	}

	private static List<String> refused(SharedCalls line, int thread) {
		List<String> refused = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			String id = thread + "-" + i;
			try {
				if (line.store(task(id)) != 1) {
					refused.add(id);
				}
			}
			catch (BrokerException ex) {
				refused.add(id);
			}
		}
		return refused;
	}

	private static void assertOwn(Caller caller, BrokerException shared, String... texts) {
		Throwable own = caller.failure();
		assertThat(own).isExactlyInstanceOf(shared.getClass())
			.isNotSameAs(shared)
			.hasCause(shared)
			.hasMessageContainingAll(texts);
		assertThat(own.getStackTrace()).anyMatch((frame) -> frame.getClassName().contains("Caller"));
	}

	/** Has callers come one after the other; the first one's call does not end yet. */
	private List<Caller> callers(SharedCalls line, String... ids) {
		List<Caller> callers = new ArrayList<>();
		for (String id : ids) {
			callers.add(call(line, id));
		}
		return callers;
	}

	private static Caller call(SharedCalls line, String id) {
		return call(line, task(id));
	}

	private static Caller call(SharedCalls line, NewTask task) {
		Caller caller = new Caller(line, task);
		caller.thread.start();
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> caller.waits() || caller.over.isDone());
		return caller;
	}

	private static NewTask task(String id) {
		return task(id, 1);
	}

	private static NewTask task(String id, int bytes) {
		return NewTask
			.of(new EnqueueRequest(TaskMessage.builder("mail", id, "default").payload(new byte[bytes]).build(),
					new Placement.Pending(), null));
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> void sneaky(Throwable error) throws E {
		throw (E) error;
	}

	/** A thread that stores one task. */
	private static final class Caller {

		private final CompletableFuture<Long> over = new CompletableFuture<>();

		private final Thread thread;

		private volatile boolean interrupted;

		Caller(SharedCalls line, NewTask task) {
			this.thread = new Thread(() -> store(line, task), task.id());
		}

		private void store(SharedCalls line, NewTask task) {
			try {
				long code = line.store(task);
				this.interrupted = Thread.currentThread().isInterrupted();
				this.over.complete(code);
			}
			catch (Throwable ex) {
				this.over.completeExceptionally(ex);
			}
		}

		boolean waits() {
			return this.thread.getState() == Thread.State.WAITING
					|| this.thread.getState() == Thread.State.TIMED_WAITING;
		}

		long code() {
			return this.over.join();
		}

		void ended() {
			this.over.join();
		}

		Throwable failure() {
			return this.over.handle((code, error) -> error).join();
		}

	}

	/** Answers that all is stored, once Redis answers. */
	private static final class FakeStore implements SharedCalls.Store {

		private final CountDownLatch redis = new CountDownLatch(1);

		private final List<List<String>> calls = new CopyOnWriteArrayList<>();

		private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();

		private volatile Consumer<String> one = (id) -> {
		};

		private volatile Function<List<String>, List<StoreAnswer>> all = (
				ids) -> ids.stream().map((id) -> StoreAnswer.of(1)).toList();

		@Override
		public long store(NewTask task) {
			call(List.of(task.id()));
			this.one.accept(task.id());
			return 1;
		}

		@Override
		public List<StoreAnswer> storeAll(List<NewTask> tasks) {
			List<String> ids = tasks.stream().map(NewTask::id).toList();
			call(ids);
			return this.all.apply(ids);
		}

		private void call(List<String> ids) {
			this.threads.add(Thread.currentThread());
			this.calls.add(ids);
			try {
				this.redis.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
