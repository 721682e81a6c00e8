package io.asynq.console.view;

import java.time.Clock;

import io.asynq.broker.Broker;
import io.asynq.client.AsynqClient;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.TaskPayloadFormatter;
import io.asynq.console.TaskPayloadSanitizer;
import io.asynq.console.http.ConsoleAudit;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operate.SchedulerOperations;
import io.asynq.operate.TaskOperations;
import io.asynq.operate.attention.Remembered;
import io.asynq.operate.attention.SituationReader;
import io.asynq.operate.survey.FailureGroups;
import io.asynq.operate.survey.QueueBoard;
import io.asynq.operate.survey.TaskSearch;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.PeriodicTaskManager;
import io.asynq.server.AsynqServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
public class ConsoleViewConfiguration {

	private static final String CLOCK = "asynqClock";

	@Bean
	ConsoleViews asynqConsoleViews(Broker broker, AsynqConsoleProperties properties,
			ObjectProvider<TaskPayloadSanitizer> sanitizers, ObjectProvider<TaskPayloadFormatter> formatters,
			@Qualifier(CLOCK) Clock clock) {
		StateReader reader = StateReader.create(broker, clock, properties.refresh());
		RateHistory rates = new RateHistory();
		// However many streams are open and however many browsers ask: one reading
		Remembered<State> state = new Remembered<>(() -> {
			State read = reader.read();
			rates.add(read.board());
			return read;
		}, properties.refresh());
		Payloads payloads = new Payloads(sanitizers.orderedStream().toList(), formatters.orderedStream().toList());
		TaskSearch search = new TaskSearch(broker.queues(), broker.taskSurvey(), clock, properties.scanLimit());
		return new ConsoleViews(reader, state, rates, payloads, search);
	}

	@Bean
	ConsoleScreen asynqConsoleOverview(ConsoleViews views, Broker broker, @Qualifier(CLOCK) Clock clock) {
		return new OverviewScreen(views.state(), views.rates(), views.payloads(), broker.queues(), clock);
	}

	@Bean
	ConsoleScreen asynqConsoleQueue(AsynqInspector inspector, Broker broker, @Qualifier(CLOCK) Clock clock) {
		return QueueScreen.create(inspector, broker, clock);
	}

	@Bean
	ConsoleScreen asynqConsoleTasks(ConsoleViews views, Broker broker, @Qualifier(CLOCK) Clock clock) {
		return new TasksScreen(views.search(), broker.fleet(), views.payloads(), clock);
	}

	@Bean
	ConsoleScreen asynqConsoleTask(ConsoleViews views, AsynqInspector inspector, Broker broker,
			@Qualifier(CLOCK) Clock clock) {
		return new TaskScreen(inspector, broker.taskSurvey(), broker.fleet(), views.payloads(), clock);
	}

	@Bean
	ConsoleScreen asynqConsoleFailures(ConsoleViews views, Broker broker, @Qualifier(CLOCK) Clock clock) {
		return new FailuresScreen(QueueBoard.create(broker, clock), new FailureGroups(views.search(), clock),
				views.payloads(), clock);
	}

	@Bean
	ConsoleScreen asynqConsoleFleet(ConsoleViews views, ObjectProvider<AsynqServer> server, Broker broker,
			@Qualifier(CLOCK) Clock clock) {
		return new FleetScreen(views.state(), new OwnProcess(server.getIfAvailable()), broker.limitReader(), clock);
	}

	@Bean
	ConsoleScreen asynqConsolePeriodic(ConsoleViews views, AsynqInspector inspector, AsynqClient client,
			ObjectProvider<AsynqScheduler> scheduler, ObjectProvider<PeriodicTaskManager> manager) {
		AsynqScheduler own = scheduler.getIfAvailable();
		return new PeriodicScreen(views.reader(), inspector,
				new SchedulerOperations(inspector, client, own, manager.getIfAvailable()), own);
	}

	@Bean
	TaskOperations asynqConsoleTaskOperations(AsynqInspector inspector, AsynqClient client,
			@Qualifier(CLOCK) Clock clock) {
		return new TaskOperations(inspector, client, clock);
	}

	@Bean
	ConsoleScreen asynqConsoleWrites(TaskOperations operations) {
		return new WriteScreen(operations);
	}

	@Bean
	ConsoleScreen asynqConsoleRedis(ConsoleViews views, AsynqInspector inspector, Broker broker,
			AsynqConsoleProperties properties) {
		return new RedisScreen(views.reader(), inspector, broker.fleet(),
				properties.refresh().multipliedBy(SituationReader.RARELY));
	}

	@Bean
	ConsoleScreen asynqConsoleSearch(ConsoleViews views, Broker broker, @Qualifier(CLOCK) Clock clock) {
		return new SearchScreen(views.state(), broker.tasks(), views.payloads(), clock);
	}

	@Bean
	LiveReader asynqConsoleLive(ConsoleViews views, AsynqConsoleProperties properties) {
		return new LiveReader(
				LiveReader.Reading.of(() -> views.state().get(),
						(read) -> Overview.of(read, views.rates().rates(), views.payloads(), Viewer.ANYBODY, null)),
				properties.refresh());
	}

	@Bean(destroyMethod = "close")
	BulkScreen asynqConsoleBulk(ConsoleViews views, LiveReader live, Broker broker, TaskOperations operations,
			ConsoleAudit audit, @Qualifier(CLOCK) Clock clock) {
		return BulkScreen.create(operations, broker, clock, views.search(), live::tell, audit);
	}

	record ConsoleViews(StateReader reader, Remembered<State> state, RateHistory rates, Payloads payloads,
			TaskSearch search) {
	}

}
