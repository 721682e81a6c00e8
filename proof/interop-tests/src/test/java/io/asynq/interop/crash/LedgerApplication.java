package io.asynq.interop.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.asynq.RetryDelayPolicy;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import io.asynq.spring.boot.autoconfigure.AsynqAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An application that writes each task it runs into the ledger. It configures only what
 * it needs, because it is started and killed several times.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, AsynqAutoConfiguration.class,
		AsynqServerAutoConfiguration.class })
class LedgerApplication {

	public static void main(String[] args) {
		new SpringApplicationBuilder(LedgerApplication.class).web(WebApplicationType.NONE).run(args);
	}

	@Bean
	Ledger ledger(@Value("${ledger}") Path file) {
		return new Ledger(file);
	}

	@Bean
	LedgerHandler ledgerHandler(Ledger ledger, @Value("${work:20ms}") Duration work) {
		return new LedgerHandler(ledger, work);
	}

	/**
	 * Retries lost tasks at once.
	 */
	@Bean
	RetryDelayPolicy retryDelayPolicy() {
		return (retried, error, task) -> Duration.ZERO;
	}

	record LedgerHandler(Ledger ledger, Duration work) {

		@TaskHandler("ledger")
		void handle(TaskContext context) {
			LockSupport.parkNanos(this.work.toNanos());
			this.ledger.add(context.taskId());
		}

	}

}
