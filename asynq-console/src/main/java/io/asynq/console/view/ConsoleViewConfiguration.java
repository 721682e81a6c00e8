package io.asynq.console.view;

import java.time.Clock;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.Broker;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.TaskPayloadFormatter;
import io.asynq.console.TaskPayloadSanitizer;
import io.asynq.console.http.ConsoleAudit;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.attention.SituationReader;
import io.asynq.operations.survey.FailureGroups;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSearch;
import io.asynq.schedule.AsynqScheduler;
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
		RedisBroker redis = RedisBroker.of(broker);
		StateReader reader = new StateReader(redis, clock, properties.refresh());
		RateHistory rates = new RateHistory();
		// However many streams are open and however many browsers ask: one reading
		Remembered<State> state = new Remembered<>(() -> {
			State read = reader.read();
			rates.add(read.board());
			return read;
		}, properties.refresh());
		Payloads payloads = new Payloads(sanitizers.orderedStream().toList(), formatters.orderedStream().toList());
		TaskSearch search = new TaskSearch(broker, clock, properties.scanLimit());
		return new ConsoleViews(reader, state, rates, payloads, search);
	}

	@Bean
	ConsoleScreen asynqConsoleScreens(ConsoleViews views, Broker broker, AsynqInspector inspector, AsynqClient client,
			TaskOperations operations, ObjectProvider<AsynqServer> server, ObjectProvider<AsynqScheduler> scheduler,
			ObjectProvider<PeriodicTaskManager> manager, AsynqConsoleProperties properties,
			@Qualifier(CLOCK) Clock clock) {
		RedisBroker redis = RedisBroker.of(broker);
		AsynqScheduler own = scheduler.getIfAvailable();
		Payloads payloads = views.payloads();
		List<ConsoleScreen> screens = List.of(
				new OverviewScreen(views.state(), views.rates(), payloads, redis.queues(), clock),
				new SearchScreen(views.state(), redis.tasks(), payloads, clock),
				new QueueScreen(inspector, redis, clock),
				new TasksScreen(views.search(), operations, inspector, payloads, clock),
				new TaskScreen(inspector, operations, redis, payloads, clock),
				new FailuresScreen(
						new QueueBoard(broker, clock), new FailureGroups(views.search(), clock), payloads, clock),
				new FleetScreen(views.state(), inspector, broker, server.getIfAvailable(), clock),
				new PeriodicScreen(views.reader(), inspector,
						new SchedulerOperations(inspector, client, own, manager.getIfAvailable()), own, clock),
				new RedisScreen(views.reader(), inspector, properties.refresh().multipliedBy(SituationReader.RARELY)));
		return (routes) -> screens.forEach((screen) -> screen.register(routes));
	}

	@Bean
	TaskOperations asynqConsoleTaskOperations(AsynqInspector inspector, AsynqClient client,
			@Qualifier(CLOCK) Clock clock) {
		return new TaskOperations(inspector, client, clock);
	}

	@Bean
	LiveReader asynqConsoleLive(ConsoleViews views, AsynqConsoleProperties properties) {
		return new LiveReader(() -> views.state().get(),
				(read) -> Overview.of(read, views.rates().rates(), views.payloads(), ConsoleCaller.ANYBODY, null),
				properties.refresh());
	}

	@Bean(destroyMethod = "close")
	BulkScreen asynqConsoleBulk(ConsoleViews views, LiveReader live, Broker broker, TaskOperations operations,
			ConsoleAudit audit, @Qualifier(CLOCK) Clock clock) {
		return new BulkScreen(operations, RedisBroker.of(broker), clock, views.search(), live::tell, audit);
	}

	record ConsoleViews(StateReader reader, Remembered<State> state, RateHistory rates, Payloads payloads,
			TaskSearch search) {
	}

}
