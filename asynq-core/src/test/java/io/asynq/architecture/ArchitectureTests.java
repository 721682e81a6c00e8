package io.asynq.architecture;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Checks the library against the architecture rules, and each rule against a fixture that
 * breaks it.
 */
class ArchitectureTests {

	private static final String FIXTURES = "io.asynq.archfixture";

	private static final JavaClasses library = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !isTestSupport(location))
		.importPackages("io.asynq");

	private static final JavaClasses tests = new ClassFileImporter()
		.withImportOption(
				(location) -> ImportOption.Predefined.ONLY_INCLUDE_TESTS.includes(location) || isTestSupport(location))
		.withImportOption((location) -> !location.contains("/archfixture/"))
		.importPackages("io.asynq");

	private static final JavaClasses fixtures = new ClassFileImporter().importPackages(FIXTURES);

	static Stream<Arguments> rules() {
		return Stream.of(rule("no cycles", ArchitectureRules::noCycles, "FirstOfRing"),
				rule("no package is large", ArchitectureRules::noPackageIsLarge, "archfixture.crowd has 23 classes"),
				rule("vocabulary stands alone", ArchitectureRules::vocabularyStandsAlone, "VocabularyThatUsesClient"),
				rule("info uses vocabulary only", ArchitectureRules::infoUsesVocabularyOnly, "InfoThatUsesClient"),
				rule("events use vocabulary only", ArchitectureRules::eventUsesVocabularyOnly, "EventThatUsesClient"),
				rule("observations use vocabulary only", ArchitectureRules::observationUsesVocabularyOnly,
						"ObservationThatUsesClient"),
				rule("client uses the broker only", ArchitectureRules::clientUsesBrokerOnly, "ClientThatUsesServer"),
				rule("handler uses the broker only", ArchitectureRules::handlerUsesBrokerOnly, "HandlerThatUsesClient"),
				rule("inspect uses repair only", ArchitectureRules::inspectUsesRepairOnly, "InspectorThatUsesClient"),
				rule("repair uses the broker only", ArchitectureRules::repairUsesBrokerOnly, "RepairThatUsesInspector"),
				rule("operate uses what users have and roles only", ArchitectureRules::operateUsesWhatUsersHaveOnly,
						"OperationThatUsesHandler"),
				rule("metrics use what they measure only", ArchitectureRules::metricsUseWhatTheyMeasureOnly,
						"MetricThatUsesHandler"),
				rule("server uses handler only", ArchitectureRules::serverUsesHandlerOnly, "ServerThatUsesInspector",
						"ServerThatUsesScheduler", "ServerThatUsesAdapter"),
				rule("scheduler uses client only", ArchitectureRules::schedulerUsesClientOnly,
						"SchedulerThatUsesHandler"),
				rule("cron uses Go's texts only", ArchitectureRules::cronUsesGoTextOnly, "CronThatUsesVocabulary"),
				rule("nobody uses annotation", ArchitectureRules::nobodyUsesAnnotation, "HandlerThatUsesAnnotation"),
				rule("the way of a task sees nothing beside it", ArchitectureRules::theWayOfATaskSeesNothingBesideIt,
						"WorkThatUsesUpkeep"),
				rule("what is beside the way sees not each other",
						ArchitectureRules::whatIsBesideTheWaySeesNotEachOther, "SignalThatUsesUpkeep"),
				rule("parts of the adapter see only their parent",
						ArchitectureRules::partsOfTheAdapterSeeOnlyTheirParent, "GroupPartThatUsesTaskPart"),
				rule("nobody uses the adapter", ArchitectureRules::nobodyUsesTheAdapter, "ServerThatUsesAdapter"),
				rule("only assembly takes the broker", ArchitectureRules::onlyAssemblyTakesTheBroker,
						"ClientThatTakesTheBroker.<init>", "ClientThatTakesTheBroker.broker"),
				rule("nobody is given callbacks later", ArchitectureRules::nobodyIsGivenCallbacksLater,
						"LoopThatIsGivenACallback.whenIdle"),
				rule("only the adapter knows Spring Data Redis", ArchitectureRules::onlyTheAdapterKnowsSpringDataRedis,
						"BrokerThatUsesSpringDataRedis"),
				rule("only the adapter knows protobuf", ArchitectureRules::onlyTheAdapterKnowsProtobuf,
						"HandlerThatUsesProtobuf", "GeneratedAtTheWrongPlace"),
				rule("nobody knows a driver but what is for it alone", ArchitectureRules::nobodyKnowsADriver,
						"AdapterThatUsesDriver"),
				rule("only meters and observations know Micrometer",
						ArchitectureRules::onlyMetersAndObservationsKnowMicrometer, "ServerThatUsesMicrometer"),
				rule("nobody knows Boot", ArchitectureRules::nobodyKnowsBoot, "ServerThatUsesBoot"),
				rule("generated messages lie below the adapter", ArchitectureRules::generatedMessagesLieBelowTheAdapter,
						"GeneratedAtTheWrongPlace"),
				rule("public signatures show no technology", ArchitectureRules::publicSignaturesShowNoTechnology,
						"AdapterThatShowsRedis", "AdapterThatShowsProtobuf"),
				rule("time comes from a clock", ArchitectureRules::timeComesFromAClock, "LoopThatReadsInstant",
						"LoopThatReadsMillis", "LoopThatMakesClock", "LoopThatMakesDate"),
				rule("only logging makes loggers", ArchitectureRules::onlyLoggingMakesLoggers,
						"LoopThatLogsAsItPleases"),
				rule("nothing goes over all queues", ArchitectureRules::nothingGoesOverAllQueues,
						"LoopThatGoesOverAllQueues"),
				rule("loops reach queues through lanes only", ArchitectureRules::loopsReachQueuesThroughLanesOnly,
						"LoopThatGoesPastTheLanes.runOnce", "LoopThatGoesPastTheLanes.stopped",
						"LoopThatGoesPastTheLanes.extend"),
				rule("nobody sleeps", ArchitectureRules::nobodySleeps, "LoopThatSleeps", "LoopThatSleepsByUnit"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void libraryKeepsRule(String name, Function<ArchitectureRules, ArchRule> rule, List<String> offenders) {
		rule.apply(new ArchitectureRules("io.asynq")).check(library);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void ruleFindsViolatingFixture(String name, Function<ArchitectureRules, ArchRule> rule, List<String> offenders) {
		List<String> found = rule.apply(new ArchitectureRules(FIXTURES))
			.evaluate(fixtures)
			.getFailureReport()
			.getDetails();
		assertThat(offenders).allSatisfy((offender) -> assertThat(found).anyMatch((line) -> line.contains(offender)));
		assertThat(found).noneMatch((line) -> line.contains("<" + FIXTURES + ".lifecycle.PlainLoop"));
		assertThat(found).noneMatch((line) -> line.contains("ClientThatTakesTheBroker.create"));
		assertThat(found).noneMatch((line) -> line.contains("LoopThatIsGivenACallback.run"));
		assertThat(found).noneMatch((line) -> line.startsWith("Field <" + FIXTURES + ".server.PlainServer"));
		assertThat(found).noneMatch((line) -> line.contains("LoopThatGoesPastTheLanes.starting"));
	}

	/**
	 * A public type is a promise to applications, so each new one is a decision.
	 */
	@Test
	void fewTypesAreForUsers() {
		assertThat(library.that(new ArchitectureRules("io.asynq").forUsers()).stream().map(JavaClass::getName).sorted())
			.hasSizeLessThanOrEqualTo(158);
	}

	@Test
	void noTestSleeps() {
		assertThat(tests).isNotEmpty();
		new ArchitectureRules("io.asynq").nobodySleeps().check(tests);
	}

	@Test
	void importsWholeLibrary() {
		assertThat(library.contain("io.asynq.client.AsynqClient")).isTrue();
		assertThat(library.contain("io.asynq.broker.redis.RedisBroker")).isTrue();
		assertThat(library.contain(FIXTURES + ".client.PlainClient")).isFalse();
		assertThat(tests.contain(getClass().getName())).isTrue();
		assertThat(library.contain(TestRedis.class.getName())).isFalse();
		assertThat(tests.contain(TestRedis.class.getName())).isTrue();
	}

	private static boolean isTestSupport(Location location) {
		return location.contains("/asynq-test-support/");
	}

	private static Arguments rule(String name, Function<ArchitectureRules, ArchRule> rule, String... offenders) {
		return arguments(name, rule, List.of(offenders));
	}

}
