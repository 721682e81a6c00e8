package io.asynq.server.limit;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.broker.TaskCompleter;
import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.limit.LimitRule;
import io.asynq.broker.limit.LimitStore;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.handler.TaskMux;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.StopBudget;
import io.asynq.server.ServerOptions;
import io.asynq.server.lane.Lanes;
import io.asynq.server.lane.WorkRound;
import io.asynq.test.FakeBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LimiterTests {

	private static final LimitClass PDF = LimitClass.of("default", List.of("pdf"));

	private final LimitRules rules = new LimitRules(new TaskMux(), ServerOptions.builder().build());

	private final HeldTokens held = new HeldTokens(this.rules, new OneToken(), new HeldTokens.Work(List.of(),
			new WorkRound("limits", new FakeBroker().work(), Lanes.single()), (queue) -> {
			}), Duration.ofSeconds(5), new Loops(() -> true, new LoopErrorLog(),
					new StopBudget(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10))));

	@Test
	void taskWithTokensStartsThoughAnotherCannotBePutOff() {
		Limiter limiter = new Limiter(this.rules, failing(new LinkageError("test")), this.held, new LoopErrorLog());
		assertThat(limiter.admitted(List.of(limited("first"), limited("second"))))
			.extracting((task) -> task.message().id())
			.containsExactly("first");
	}

	private static TaskCompleter failing(Error error) {
		return (TaskCompleter) Proxy.newProxyInstance(LimiterTests.class.getClassLoader(),
				new Class<?>[] { TaskCompleter.class }, (proxy, method, args) -> {
					throw error;
				});
	}

	private static Limiter.Limited limited(String id) {
		TaskMessage message = TaskMessage.builder("type", id, "default").build();
		LeasedTask task = new LeasedTask(message, new Lease("default", id, "f", Long.MAX_VALUE));
		return new Limiter.Limited(task, new LimitClaim(PDF, id, "f"));
	}

	/**
	 * Has a token for the first task of a call.
	 */
	private static final class OneToken implements LimitStore {

		@Override
		public void announce(Map<String, LimitRule> rules) {
		}

		@Override
		public void change(String limit, @Nullable LimitRule rule) {
		}

		@Override
		public List<Taken> take(List<LimitClaim> claims) {
			return claims.stream().map((claim) -> new Taken(claim == claims.get(0), null)).toList();
		}

		@Override
		public void extend(Collection<LimitClaim> claims) {
		}

		@Override
		public Set<String> release(Collection<LimitClaim> claims) {
			return Set.of();
		}

		@Override
		public Set<String> lineUp(Collection<LimitClass> waiting) {
			return Set.of();
		}

		@Override
		public Set<String> lookAfter(String queue) {
			return Set.of();
		}

	}

}
