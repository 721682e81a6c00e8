package io.asynq.spring.boot.test.slice;

import java.time.Duration;

import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.spring.boot.test.AsynqTest;
import io.asynq.spring.boot.test.AutoConfigureAsynq.Mode;
import io.asynq.spring.boot.test.TestAsynq;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;

@AsynqTest(mode = Mode.DRAIN, properties = "given=here")
class AsynqTestTests {

	@MockitoBean
	private Ledger ledger;

	@Autowired
	private TestAsynq asynq;

	@Test
	void sliceHasHandlersInterceptorsAndPeriodicTasks(@Autowired Numbers numbers, @Autowired AsynqScheduler scheduler) {
		assertThat(this.asynq.run("invoice:book", "42")).isSucceeded();
		then(this.ledger).should().book("42");
		assertThat(numbers.count).isPositive();
		assertThat(scheduler.entries()).extracting(PeriodicTaskInfo::id).containsExactly("booking");
		this.asynq.advance(Duration.ofHours(1));
		assertThat(this.asynq.drain()).hasSize(1);
	}

	@Test
	void sliceHasItsPropertiesAndNothingElse(@Autowired ApplicationContext context,
			@Autowired Environment environment) {
		assertThat(environment.getProperty("given")).isEqualTo("here");
		assertThat(context.getBeanNamesForType(Ledger.class)).as("the mock").hasSize(1);
		assertThat(context.getBeanNamesForType(RedisConnectionFactory.class)).isEmpty();
		assertThat(context.containsBean("unrelated")).isFalse();
	}

}
