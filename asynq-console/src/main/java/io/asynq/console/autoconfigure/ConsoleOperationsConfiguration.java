package io.asynq.console.autoconfigure;

import java.time.Clock;

import io.asynq.client.AsynqClient;
import io.asynq.console.http.SimpleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operate.QueueOperations;
import io.asynq.operate.RepairOperations;
import io.asynq.operate.SchedulerOperations;
import io.asynq.operate.ServerOperations;
import io.asynq.operate.TaskOperations;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.PeriodicTaskManager;
import io.asynq.server.AsynqServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The screens that need no more than the operations.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleOperationsConfiguration {

	@Bean
	SimpleScreen asynqConsoleSimpleScreen(AsynqInspector inspector, AsynqClient client,
			ObjectProvider<AsynqServer> server, ObjectProvider<AsynqScheduler> scheduler,
			ObjectProvider<PeriodicTaskManager> manager, @Qualifier("asynqClock") Clock clock) {
		return new SimpleScreen(new QueueOperations(inspector), new TaskOperations(inspector, client, clock),
				new ServerOperations(inspector, server.getIfAvailable()),
				new SchedulerOperations(inspector, client, scheduler.getIfAvailable(), manager.getIfAvailable()),
				new RepairOperations(inspector), clock);
	}

}
