package io.asynq.internal.limit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerUnavailableException;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskMux;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LimitClass;
import io.asynq.limit.TaskLimit;
import io.asynq.server.ServerOptions;
import io.asynq.test.FakeBroker;
import io.asynq.test.FakeLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LimiterLoopTests {

	private static final LimitClass PDF = LimitClass.of("default", List.of("pdf"));

	private final Slow store = new Slow();

	private final Limiter tokens = tokens(Lanes.single());

	@AfterEach
	void stop() {
		this.store.redis.countDown();
		this.tokens.stop();
	}

	@Test
	void tokensAreExtendedWhileGivingOthersBackTakesLong() {
		this.tokens.start();
		Lease ended = lease("short");
		this.tokens.add(ended, claim("short"));
		this.tokens.add(lease("long"), claim("long"));
		this.tokens.release(ended);
		await().until(() -> this.store.released.contains("short"));
		this.store.extended.clear();
		await().until(() -> this.store.extended.size() > 2);
		assertThat(this.store.extended).containsOnly("long");
	}

	@Test
	void whatIsHeldAtTheEndIsGivenBack() {
		this.store.redis.countDown();
		this.tokens.start();
		this.tokens.add(lease("a"), claim("a"));
		this.tokens.stop();
		assertThat(this.store.released).containsExactly("a");
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("asynq-limit-heartbeat"));
	}

	@Test
	void stopEndsAndGivesBackThoughRedisDoesNotTakeThatTasksWait() {
		this.store.redis.countDown();
		this.store.refusesToLineUp = true;
		this.tokens.start();
		this.tokens.add(lease("a"), claim("a"));
		this.tokens.lineUp(PDF);
		await().until(() -> this.store.refused.get() > 0);
		this.tokens.lineUp(PDF);
		this.tokens.stop();
		assertThat(this.store.released).containsExactly("a");
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("asynq-limit-heartbeat"));
	}

	@Test
	void masterOfTheLimitsThatHangsIsWaitedForOnceAndItsLateTokensGoBack() throws InterruptedException {
		this.store.redis.countDown();
		CountDownLatch hangs = new CountDownLatch(1);
		this.store.answers = (claims) -> {
			try {
				hangs.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return claims.stream().map((claim) -> LimitStore.Answer.GRANTED).toList();
		};
		try (TestLanes lanes = TestLanes.of(Map.of("default", "n1"), Duration.ofMillis(500))) {
			Limiter onCluster = tokens(lanes.lanes());
			long start = System.nanoTime();
			for (int i = 0; i < 50; i++) {
				assertThat(onCluster.take(List.of(claim("t" + i)))).isEmpty();
			}
			assertThat(System.nanoTime() - start).as("nanoseconds of fifty calls").isLessThan(5_000_000_000L);
			onCluster.start();
			hangs.countDown();
			await().untilAsserted(() -> assertThat(this.store.released).containsExactly("t0"));
			await().untilAsserted(() -> assertThat(onCluster.take(List.of(claim("next"))))
				.containsExactly(LimitStore.Answer.GRANTED));
			onCluster.stop();
		}
	}

	private Limiter tokens(Lanes lanes) {
		return new Limiter(rules(), this.store, new QueueRound("limits", lanes, new FakeBroker().work()::find), lanes,
				List.of(), (queue) -> {
				}, Duration.ofMillis(20), new Loops(() -> true, new LoopErrorLog(),
						new StopBudget(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10))));
	}

	private static LimitRules rules() {
		TaskMux mux = new TaskMux();
		mux.handle("render", (task, context) -> null, HandlerLimits.of("pdf"));
		return new LimitRules(mux, ServerOptions.builder().limit("pdf", TaskLimit.concurrent(2)).build());
	}

	private static LimitClaim claim(String id) {
		return new LimitClaim(PDF, id, "f", false);
	}

	private static Lease lease(String id) {
		return new Lease("default", id, "f", Long.MAX_VALUE);
	}

	/** Gives tokens back once it may. */
	private static final class Slow extends FakeLimitStore {

		private final CountDownLatch redis = new CountDownLatch(1);

		private final AtomicInteger refused = new AtomicInteger();

		private volatile boolean refusesToLineUp;

		@Override
		public LimitTurns release(Collection<LimitClaim> claims) {
			super.release(claims);
			try {
				this.redis.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return NONE;
		}

		@Override
		public LimitTurns lineUp(Collection<LimitClass> waiting) {
			if (this.refusesToLineUp) {
				this.refused.incrementAndGet();
				throw new BrokerUnavailableException("Redis is away", null);
			}
			return NONE;
		}

	}

}
