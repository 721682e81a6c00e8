package io.asynq.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.asynq.internal.text.GoText;
import io.asynq.test.process.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who may name which internal type. A new name here is a decision; a name that nobody
 * needs any more goes.
 */
class InternalTypesTests {

	private static final String INTERNAL = "io.asynq.internal.";

	/** Of all published modules together; the aim is 80. */
	private static final int MOST = 98;

	private static final int MOST_FOR_USERS = 150;

	private static final Map<String, Set<String>> ALLOWED = listed("""
			asynq-cli: text.GoDuration text.GoText
			asynq-console: broker.RedisBroker inspect.QueueReader inspect.TaskKeeper
				schedule.PeriodicTaskManager text.OneLineLogger worker.ServedTypes worker.UnhandledStore
			asynq-micrometer: broker.RedisBroker event.TaskEvents event.TaskObservation event.TaskObservations
				inspect.ManyQueues lifecycle.PeriodicRunner lifecycle.UserCode limit.LimitReader
				text.OncePerMinute text.OneLineLogger worker.BrokenTasks
			asynq-operations: arrival.ArrivalListener arrival.ArrivalSource broker.RedisBroker
				cancel.CancelChannel fleet.FleetReader fleet.ServerEntries fleet.ServerRegistry
				fleet.ServerWish fleet.StateDecoder fleet.StuckHandler inspect.Arguments inspect.GroupWalk
				inspect.ManyQueues inspect.QueueReader inspect.TaskKeeper inspect.TaskListing lane.LaneThreads
				lane.Lanes lane.WorkFinder lifecycle.LoopErrorLog lifecycle.ServerPhase lifecycle.UserCode
				limit.LimitReader redis.DeadMembers redis.Keys redis.LoginRefusedException redis.LuaScript
				redis.ScriptRunner redis.ScriptTime redis.ServerIdentity redis.Subscription
				redis.TaskMessageCodec redis.Text redis.UsableRedis schedule.PeriodicTaskManager
				schedule.Schedule schedule.ScheduleParser text.GoDuration text.GoText text.OneLineLogger
				worker.ServedTypes worker.UnhandledStore
			asynq-outbox-jdbc: broker.RedisBroker enqueue.EnqueueRequest enqueue.OutboxAnswer
				enqueue.OutboxReport enqueue.OutboxStore enqueue.OutboxTask enqueue.TaskOutbox
				event.TaskEvents fleet.ServerRegistry lane.Lanes lane.QueueRound lifecycle.AsyncStop
				lifecycle.LoopErrorLog lifecycle.PeriodicRunner lifecycle.ServerPhase redis.Batches
				redis.TaskMessage text.OneLineLogger
			asynq-spring-boot-autoconfigure: broker.RedisBroker enqueue.TaskEnqueuer enqueue.TaskOutbox
				event.Observers event.TaskEvents event.TaskObservations fleet.FleetReader inspect.TaskKeeper
				lifecycle.ServerPhase lifecycle.UserCode method.PeriodicTaskMethodRegistrar
				method.TaskAggregatorRegistrar method.TaskHandlerMethodRegistrar metrics.BrokenTaskMetrics
				metrics.ListenerMetrics metrics.ServerMetrics observation.LinkingTracingObservationHandler
				observation.MicrometerTaskObservations observation.TaskMeterObservationHandler
				redis.ServerConnections redis.driver.JedisPools redis.driver.PoolUse
				schedule.PeriodicTaskManager server.ServerComponents text.GoText text.OneLineLogger
				worker.BrokenTasks
			asynq-spring-boot-starter-test: broker.RedisBroker enqueue.DefaultAsynqClient
				enqueue.EnqueueRequest enqueue.NewTask enqueue.Placement enqueue.TaskEnqueuer
				enqueue.TaskMessageFactory event.Observers event.TaskEvents event.TaskObservation
				event.TaskObservations group.AggregatedTaskFactory group.GroupMembers group.GroupName
				inspect.ManyQueues inspect.TaskInfos lifecycle.LoopErrorLog lifecycle.ServerPhase
				lifecycle.UserCode lifecycle.Waker limit.SemaphoreStore redis.Refusal redis.ServerConnections
				redis.TaskMessage redis.TaskMessageCodec schedule.DefaultAsynqScheduler schedule.Schedule
				schedule.ScheduleParser text.OneLineLogger worker.Attempt worker.AttemptObserver
				worker.Decision worker.Due worker.ErrorTexts worker.Lease worker.LeasedTask
				worker.MissingHandlers worker.Outcome worker.Outcomes worker.ServerCounters
				worker.TaskExecution worker.TaskFlow
			sample-app:
			""");

	static Collection<String> modules() {
		return ALLOWED.keySet();
	}

	@ParameterizedTest
	@MethodSource("modules")
	void moduleNamesListedTypesOnly(String module) {
		assertThat(named(module)).containsExactlyInAnyOrderElementsOf(ALLOWED.get(module));
	}

	/** The core's own tests see the core only. */
	@ParameterizedTest
	@ValueSource(strings = { "asynq-micrometer", "asynq-operations" })
	void moduleKeepsRulesOfTheCore(String module) {
		ArchitectureRules rules = new ArchitectureRules("io.asynq");
		JavaClasses classes = classes(module);
		Stream
			.of(rules.timeComesFromAClock(), rules.nobodySleeps(), rules.onlyTextMakesLoggers(),
					rules.nobodyKnowsADriver(), rules.nobodyKnowsBoot(), rules.publicSignaturesShowNoTechnology())
			.forEach((rule) -> rule.check(classes));
		if (module.equals("asynq-operations")) {
			rules.nobodyKnowsMicrometer().check(classes);
		}
	}

	@Test
	void fewTypesAreNamedElsewhere() {
		Set<String> all = ALLOWED.keySet()
			.stream()
			.flatMap((module) -> named(module).stream())
			.collect(Collectors.toCollection(TreeSet::new));
		System.out.printf("%d internal types are named by other modules, of %d%n", all.size(), MOST);
		assertThat(all).hasSizeBetween(1, MOST);
	}

	/**
	 * A public type is a promise to applications, so each new one is a decision. Those of
	 * observations, meters and the outbox count as well; auto-configuration is public for
	 * Spring Boot only.
	 */
	@Test
	void fewTypesAreForUsers() {
		Set<String> types = Stream.of("asynq-core", "asynq-micrometer", "asynq-outbox-jdbc")
			.flatMap((module) -> classes(module).stream())
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
			.map(JavaClass::getName)
			.filter((name) -> !name.startsWith(INTERNAL) && !name.endsWith("AutoConfiguration"))
			.collect(Collectors.toCollection(TreeSet::new));
		System.out.printf("%d types are for users, of %d%n", types.size(), MOST_FOR_USERS);
		assertThat(types).hasSizeBetween(100, MOST_FOR_USERS);
	}

	@Test
	void findsWhatIsNamed() {
		assertThat(named(new ClassFileImporter().importClasses(Naming.class))).containsExactly("text.GoText");
	}

	private static Set<String> named(String module) {
		return named(classes(module));
	}

	private static JavaClasses classes(String module) {
		Path classes = Repository.path(module + "/target/classes");
		assertThat(Files.isDirectory(classes)).as("%s is compiled before", module).isTrue();
		return new ClassFileImporter().importPath(classes);
	}

	/** What a module has itself is its own affair. */
	private static Set<String> named(JavaClasses module) {
		assertThat(module).isNotEmpty();
		return module.stream()
			.flatMap((type) -> type.getDirectDependenciesFromSelf().stream())
			.map(Dependency::getTargetClass)
			.map(JavaClass::getBaseComponentType)
			.filter((type) -> !module.contain(type.getName()))
			.map(JavaClass::getName)
			.filter((name) -> name.startsWith(INTERNAL))
			.map((name) -> name.substring(INTERNAL.length()).replaceAll("\\$.*", ""))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** A name with a colon begins the list of a module. */
	private static Map<String, Set<String>> listed(String names) {
		Map<String, Set<String>> modules = new TreeMap<>();
		Set<String> types = new TreeSet<>();
		for (String name : names.trim().split("\\s+")) {
			if (name.endsWith(":")) {
				types = new TreeSet<>();
				modules.put(name.substring(0, name.length() - 1), types);
			}
			else {
				types.add(name);
			}
		}
		return modules;
	}

	private static final class Naming {

		private static String quoted(String text) {
			return GoText.quote(text);
		}

	}

}
