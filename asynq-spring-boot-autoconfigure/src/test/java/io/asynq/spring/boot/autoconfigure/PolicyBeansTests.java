package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.server.HealthCheckListener;
import io.asynq.server.ServerPolicies;
import io.asynq.server.TaskWaitListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of several beans of one kind of policy or listener.
 */
@ExtendWith(OutputCaptureExtension.class)
class PolicyBeansTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void allListenersAreCalledInOrderDespiteExceptions(CapturedOutput output) {
		this.runner.withUserConfiguration(Listeners.class).run((context) -> {
			ServerPolicies policies = context.getBean(ServerPolicies.class);
			TaskContext attempt = mock();
			given(attempt.taskId()).willReturn("t1");
			given(attempt.queue()).willReturn("low");
			policies.errors().handleError(Task.of("mail", "x"), attempt, new IllegalStateException("failed"));
			policies.health().onHealthCheck(new AsynqException("away"));
			policies.waits().onTaskTaken("low", Duration.ZERO);
			policies.decorator().decorate(() -> context.getBean(Listeners.class).calls.add("run")).run();
			assertThat(context.getBean(Listeners.class).calls).containsExactly("first error", "second error",
					"first health", "second health", "first wait", "second wait", "decorated first", "decorated second",
					"run");
			assertThat(output).contains("failed for task t1 (mail) in queue low", "failed for queue low");
		});
	}

	@Test
	void twoPoliciesFailStartNamingBoth() {
		RetryDelayPolicy delay = mock();
		this.runner.withBean("retryDelay", RetryDelayPolicy.class, () -> delay)
			.withBean("otherDelay", RetryDelayPolicy.class, () -> delay)
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class)
				.rootCause()
				.hasMessageContainingAll("retryDelay", "otherDelay"));
		FailurePredicate failures = mock();
		this.runner.withBean("failures", FailurePredicate.class, () -> failures)
			.withBean("otherFailures", FailurePredicate.class, () -> failures)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContainingAll("failures", "otherFailures"));
	}

	@Test
	void twoOutboxesFailStartNamingBoth() {
		TaskOutbox outbox = mock();
		this.runner.withBean("oneOutbox", TaskOutbox.class, () -> outbox)
			.withBean("otherOutbox", TaskOutbox.class, () -> outbox)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContainingAll("oneOutbox", "otherOutbox"));
	}

	@Test
	void primaryPolicyIsUsed() {
		RetryDelayPolicy primary = mock();
		RetryDelayPolicy other = mock();
		this.runner.withBean("other", RetryDelayPolicy.class, () -> other)
			.withBean("primary", RetryDelayPolicy.class, () -> primary, (definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context.getBean(ServerPolicies.class).retryDelay()).isSameAs(primary));
	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		TaskErrorHandler secondError() {
			return (task, context, error) -> this.calls.add("second error");
		}

		@Bean
		@Order(1)
		TaskErrorHandler firstError() {
			return (task, context, error) -> failing("first error").accept(this.calls);
		}

		@Bean
		@Order(2)
		TaskWaitListener secondWait() {
			return (queue, waited) -> this.calls.add("second wait");
		}

		@Bean
		@Order(1)
		TaskWaitListener firstWait() {
			return (queue, waited) -> failing("first wait").accept(this.calls);
		}

		@Bean
		@Order(2)
		HealthCheckListener secondHealth() {
			return (error) -> this.calls.add("second health");
		}

		@Bean
		@Order(1)
		HealthCheckListener firstHealth() {
			return (error) -> failing("first health").accept(this.calls);
		}

		@Bean
		@Order(2)
		TaskDecorator outer() {
			return (attempt) -> () -> {
				this.calls.add("decorated first");
				attempt.run();
			};
		}

		@Bean
		@Order(1)
		TaskDecorator inner() {
			return (attempt) -> () -> {
				this.calls.add("decorated second");
				attempt.run();
			};
		}

		private static Consumer<List<String>> failing(String call) {
			return (calls) -> {
				calls.add(call);
				throw new IllegalStateException("planted");
			};
		}

	}

}
