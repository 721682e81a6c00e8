package io.asynq.internal.event;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import io.asynq.Task;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskListener;
import io.asynq.internal.text.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class TaskEventsTests {

	private final LogCapture log = LogCapture.of("io.asynq.internal.event", Level.WARN);

	private final BlockingQueue<TaskEvent> heard = new LinkedBlockingQueue<>();

	private final CountDownLatch release = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.release.countDown();
		this.log.close();
	}

	@Test
	void listenersAreCalledInTheirOrderByOneThreadOfTheirOwn() {
		BlockingQueue<String> calls = new LinkedBlockingQueue<>();
		TaskEvents events = patient(() -> List.of(
				(event) -> calls.add("first " + event.facts().id() + " in " + Thread.currentThread().getName()),
				(event) -> calls.add("second " + event.facts().id() + " in " + Thread.currentThread().getName())));
		events.start();
		events.tell(started("a"));
		events.tell(started("b"));
		events.stop();
		assertThat(calls).containsExactly("first a in asynq-listeners", "second a in asynq-listeners",
				"first b in asynq-listeners", "second b in asynq-listeners");
	}

	@Test
	void eventsBeforeStartAndBetweenStopAndStartWait() {
		TaskEvents events = patient(() -> List.of(this.heard::add));
		events.tell(started("early"));
		assertThat(events.waiting()).isOne();
		events.start();
		events.stop();
		events.tell(started("between"));
		events.start();
		events.stop();
		assertThat(this.heard).extracting((event) -> event.facts().id()).containsExactly("early", "between");
		assertThat(events.isRunning()).isFalse();
	}

	@Test
	void listenerThatThrowsIsCountedAndLoggedOnceAndHarmsNoOther() {
		TaskEvents events = patient(() -> List.of((event) -> {
			throw new AssertionError("boom");
		}, this.heard::add));
		events.start();
		for (int i = 0; i < 5; i++) {
			events.tell(failed("t" + i));
		}
		events.stop();
		assertThat(this.heard).hasSize(5);
		assertThat(events.failures()).isEqualTo(5);
		assertThat(this.log.lines()).singleElement().satisfies((line) -> {
			assertThat(line.getFormattedMessage()).contains("Failed of task t0 (mail) in queue q");
			assertThat(line.getThrowableProxy().getMessage()).isEqualTo("boom");
		});
	}

	@Test
	void listenerThatHangsBlocksNobodyAndWhatFindsNoRoomIsCounted() throws Exception {
		CountDownLatch hangs = new CountDownLatch(1);
		TaskEvents events = new TaskEvents(() -> List.of((event) -> {
			hangs.countDown();
			this.release.await();
			this.heard.add(event);
		}), ContextPropagators.none(), true, 10);
		events.start();
		events.tell(started("first"));
		assertThat(hangs.await(30, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < 20; i++) {
			events.tell(started("started-" + i));
		}
		assertThat(events.waiting()).as("half of the room").isEqualTo(5);
		for (int i = 0; i < 20; i++) {
			events.tell(failed("failed-" + i));
		}
		assertThat(events.waiting()).isEqualTo(10);
		assertThat(events.dropped()).isEqualTo(30);
		assertThat(this.log.lines()).singleElement().satisfies((line) -> {
			assertThat(line.getFormattedMessage()).contains("1 were dropped");
			assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
				.anyMatch((frame) -> frame.getSTEAsString().contains(TaskEventsTests.class.getName()));
		});
		this.release.countDown();
		await().until(() -> this.heard.size() == 11);
		events.stop();
	}

	@Test
	void stopInterruptsListenerThatDoesNotReturnAndNextStartDeliversTheRest() {
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch interrupted = new CountDownLatch(1);
		TaskEvents events = new TaskEvents(() -> List.of((event) -> {
			if (calls.getAndIncrement() == 0) {
				try {
					this.release.await();
				}
				catch (InterruptedException ex) {
					interrupted.countDown();
				}
			}
			this.heard.add(event);
		}));
		events.start();
		events.tell(failed("a"));
		await().until(() -> calls.get() == 1);
		events.tell(failed("b"));
		events.stop();
		await().until(() -> interrupted.getCount() == 0);
		await().until(() -> this.heard.size() == 1);
		assertThat(events.waiting()).isOne();
		events.start();
		await().until(() -> this.heard.size() == 2);
		events.stop();
		assertThat(this.heard).extracting((event) -> event.facts().id()).containsExactly("a", "b");
	}

	@Test
	void listenerMayStopEvents() {
		TaskEvents[] events = new TaskEvents[1];
		events[0] = new TaskEvents(() -> List.of((event) -> {
			events[0].stop();
			this.heard.add(event);
		}));
		events[0].start();
		events[0].tell(failed("a"));
		await().until(() -> this.heard.size() == 1);
		assertThat(events[0].isRunning()).isFalse();
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void listenersAreCalledDirectlyIfToldSoWithWhatHasWaited() {
		BlockingQueue<String> calls = new LinkedBlockingQueue<>();
		TaskEvents events = new TaskEvents(() -> List
			.of((event) -> calls.add(event.facts().id() + " in " + Thread.currentThread().getName()), (event) -> {
				throw new IllegalStateException("affects nobody");
			}));
		events.callListenersDirectly();
		events.tell(started("early"));
		assertThat(calls).isEmpty();
		String here = " in " + Thread.currentThread().getName();
		for (String id : List.of("a", "b")) {
			events.start();
			events.tell(started(id));
			assertThat(calls).contains("early" + here, id + here);
			events.stop();
		}
		assertThat(calls).hasSize(3);
		assertThat(events.failures()).isEqualTo(3);
		events.tell(started("late"));
		assertThat(events.waiting()).isOne();
	}

	@Test
	void eventsThatNobodyWantsAreNotWanted() {
		TaskEvents events = patient(() -> List.of(new OnlyFailures(this.heard), new OnlyFailures(this.heard)));
		assertThat(events.isWanted(TaskEvent.Started.class)).as("unknown before the start").isTrue();
		events.start();
		assertThat(events.isWanted(TaskEvent.Started.class)).isFalse();
		assertThat(events.isWanted(TaskEvent.Failed.class)).isTrue();
		events.tell(started("a"));
		events.tell(failed("b"));
		events.stop();
		assertThat(this.heard).hasSize(2).allMatch((event) -> event instanceof TaskEvent.Failed);
	}

	@Test
	void withoutListenersThereIsNoThreadAndNothingWaits() {
		TaskEvents events = TaskEvents.none();
		events.start();
		events.tell(failed("a"));
		assertThat(events.isOn()).isFalse();
		assertThat(events.isWanted(TaskEvent.Failed.class)).isFalse();
		assertThat(events.isRunning()).isFalse();
		assertThat(events.waiting()).isZero();
		assertThat(events.dropped()).isZero();
	}

	@Test
	void payloadsThatWaitAreBounded() {
		EventQueue queue = new EventQueue(100, 1000);
		assertThat(queue.offer(failed("a", 5000))).as("one always finds room").isTrue();
		assertThat(queue.offer(failed("b", 1))).isFalse();
		queue.take();
		assertThat(queue.offer(failed("c", 600))).isTrue();
		assertThat(queue.offer(failed("d", 400))).isTrue();
		assertThat(queue.offer(failed("e", 1))).isFalse();
		assertThat(queue.size()).isEqualTo(2);
	}

	/** A stop waits for its listeners also on a machine that stands still for a while. */
	private static TaskEvents patient(Supplier<List<TaskListener>> listeners) {
		return new TaskEvents(listeners, ContextPropagators.none(), true, 100, 60_000);
	}

	private static TaskEvent started(String id) {
		return new TaskEvent.Started(facts(id, 0));
	}

	private static TaskEvent failed(String id) {
		return failed(id, 0);
	}

	private static TaskEvent failed(String id, int bytes) {
		return new TaskEvent.Failed(facts(id, bytes), "boom", null);
	}

	private static TaskFacts facts(String id, int bytes) {
		return new TaskFacts(id, "q", Task.of("mail", new byte[bytes]), 0, 25);
	}

	private record OnlyFailures(BlockingQueue<TaskEvent> heard) implements TaskListener {

		@Override
		public void onTaskEvent(TaskEvent event) {
			this.heard.add(event);
		}

		@Override
		public boolean listensTo(Class<? extends TaskEvent> type) {
			return type == TaskEvent.Failed.class;
		}

	}

}
