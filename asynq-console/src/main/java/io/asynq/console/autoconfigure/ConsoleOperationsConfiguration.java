package io.asynq.console.autoconfigure;

import java.time.Clock;

import io.asynq.broker.Broker;
import io.asynq.client.AsynqClient;
import io.asynq.console.view.ActionsScreen;
import io.asynq.console.view.QueuesScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operate.QueueOperations;
import io.asynq.operate.RepairOperations;
import io.asynq.operate.SchedulerOperations;
import io.asynq.operate.ServerOperations;
import io.asynq.operate.TaskOperations;
import io.asynq.server.AsynqServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ConsoleOperationsConfiguration {

	@Bean
	QueuesScreen asynqConsoleQueueOperations(AsynqInspector inspector, @Qualifier("asynqClock") Clock clock) {
		return new QueuesScreen(new QueueOperations(inspector), new RepairOperations(inspector), clock);
	}

	@Bean
	ActionsScreen asynqConsoleActions(AsynqInspector inspector, AsynqClient client, Broker broker,
			ObjectProvider<AsynqServer> server, @Qualifier("asynqClock") Clock clock) {
		return new ActionsScreen(new TaskOperations(inspector, client, clock),
				new ServerOperations(inspector, broker.fleetSurvey(), broker.servers(), server.getIfAvailable()),
				new SchedulerOperations(inspector, client, null, null), clock);
	}

}
