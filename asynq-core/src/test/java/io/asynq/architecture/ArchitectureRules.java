package io.asynq.architecture;

import java.util.Set;
import java.util.stream.Stream;

import com.google.protobuf.MessageLite;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import io.asynq.broker.QueueReader;
import io.asynq.inspect.AsynqInspector;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.PeriodicRunner;
import org.slf4j.LoggerFactory;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rules for packages below a root: those of the library, or of fixtures that break
 * the rules on purpose.
 */
final class ArchitectureRules {

	/** Assembly may use everything. */
	private static final Set<String> ASSEMBLY = Set.of("RedisBroker", "ServerComponents", "DefaultAsynqServer");

	/** Packages that applications must not use, although their types may be public. */
	private static final String[] INTERNAL = { "broker", "server.*", "annotation.method", "scheduler.cron", "gotext",
			"observation.context", "observation.meter", "lifecycle", "logging", "operate" };

	private final String root;

	ArchitectureRules(String root) {
		this.root = root;
	}

	ArchRule noCycles() {
		return slices().matching(this.root + ".(**)")
			.should()
			.beFreeOfCycles()
			.ignoreDependency(DescribedPredicate.describe("assembly", ArchitectureRules::isAssembly),
					DescribedPredicate.alwaysTrue());
	}

	ArchRule noPackageIsLarge() {
		return classes().that(outside("broker.redis.proto")).should(Conditions.liveInSmallPackages());
	}

	ArchRule vocabularyStandsAlone() {
		return noClasses().that()
			.resideInAPackage(this.root)
			.should()
			.dependOnClassesThat(oursOtherThan(this.root, in("gotext")));
	}

	ArchRule infoUsesVocabularyOnly() {
		return noClasses().that(residesIn("info")).should().dependOnClassesThat(oursOtherThan(this.root, in("info")));
	}

	ArchRule eventUsesVocabularyOnly() {
		return sees("event");
	}

	ArchRule observationUsesVocabularyOnly() {
		return sees("observation");
	}

	ArchRule clientUsesBrokerOnly() {
		return sees("client", "broker", "broker.message", "broker.fleet", "payload", "observation");
	}

	ArchRule handlerUsesBrokerOnly() {
		return sees("handler", "broker");
	}

	ArchRule inspectUsesRepairOnly() {
		return sees("inspect", "broker", "broker.limit", "broker.message", "repair", "server.lane");
	}

	ArchRule repairUsesBrokerOnly() {
		return sees("repair", "broker", "broker.limit", "server.lane");
	}

	ArchRule operateUsesWhatUsersHaveOnly() {
		return sees("operate", "broker", "broker.check", "broker.fleet", "broker.limit", "broker.survey", "broker.work",
				"client", "inspect", "repair", "scheduler", "server");
	}

	ArchRule metricsUseWhatTheyMeasureOnly() {
		return sees("metrics", "broker", "broker.limit", "broker.message", "inspect", "server");
	}

	ArchRule serverUsesHandlerOnly() {
		return sees("server", "broker", "broker.check", "broker.limit", "broker.message", "broker.fleet", "broker.work",
				"handler", "limit", "observation");
	}

	ArchRule schedulerUsesClientOnly() {
		return sees("scheduler", "broker", "broker.message", "broker.fleet", "client", "server.lane");
	}

	ArchRule cronUsesGoTextOnly() {
		return noClasses().that(residesIn("scheduler.cron", "gotext"))
			.should()
			.dependOnClassesThat(oursOtherThan(in("scheduler.cron"), in("gotext")));
	}

	ArchRule nobodyUsesAnnotation() {
		return noClasses().that(outside("annotation")).should().dependOnClassesThat(residesIn("annotation"));
	}

	ArchRule theWayOfATaskSeesNothingBesideIt() {
		return noClasses()
			.that(residesIn("server.work", "server.fetch", "server.attempt", "server.outcome", "server.lane",
					"server.limit"))
			.should()
			.dependOnClassesThat(residesIn("server.upkeep", "server.group", "server.signal", "server.preflight"));
	}

	ArchRule whatIsBesideTheWaySeesNotEachOther() {
		return classes().that(residesIn("server.upkeep", "server.group", "server.signal", "server.preflight"))
			.should(Conditions.notDependOnSiblings(this.root + ".server",
					Set.of("upkeep", "group", "signal", "preflight")));
	}

	ArchRule partsOfTheAdapterSeeOnlyTheirParent() {
		return classes().that(residesIn("broker.redis.*"))
			.should(Conditions.notDependOnSiblings(this.root + ".broker.redis",
					Set.of("task", "group", "queue", "fleet", "check", "limit", "signal", "jedis", "lettuce")));
	}

	ArchRule nobodyUsesTheAdapter() {
		return noClasses().that(outside("broker.redis")).should().dependOnClassesThat(residesIn("broker.redis"));
	}

	/**
	 * All others take the roles they need. A static {@code create} is assembly for users.
	 */
	ArchRule onlyAssemblyTakesTheBroker() {
		return members().that(DescribedPredicate.describe("are not assembly", ArchitectureRules::isNoAssembly))
			.should(Conditions.notTakeTheBroker());
	}

	/**
	 * Control flows from the top down: results come back as return values, or through a
	 * listener passed to the constructor.
	 */
	ArchRule nobodyIsGivenCallbacksLater() {
		return methods().that()
			.areDeclaredInClassesThat(residesIn("server", "scheduler", "lifecycle"))
			.should(Conditions.notKeepACallback());
	}

	ArchRule onlyTheAdapterKnowsSpringDataRedis() {
		return noClasses().that(outside("broker.redis"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.data..");
	}

	ArchRule onlyTheAdapterKnowsProtobuf() {
		return noClasses().that(outside("broker.redis"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.google.protobuf..");
	}

	ArchRule nobodyKnowsADriver() {
		return noClasses().that(outside("broker.redis.jedis", "broker.redis.lettuce"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("redis.clients..", "io.lettuce..", "org.redisson..");
	}

	/**
	 * Everything else works where Micrometer is missing.
	 */
	ArchRule onlyMetersAndObservationsKnowMicrometer() {
		return noClasses().that(outside("metrics", "observation"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.micrometer..");
	}

	ArchRule nobodyKnowsBoot() {
		return noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..");
	}

	ArchRule generatedMessagesLieBelowTheAdapter() {
		return classes().that()
			.areAssignableTo(MessageLite.class)
			.should()
			.resideInAPackage(this.root + ".broker.redis.*");
	}

	ArchRule publicSignaturesShowNoTechnology() {
		return members().that(DescribedPredicate.describe("are visible to users", this::isVisible))
			.should(Conditions.showNoTechnology());
	}

	ArchRule timeComesFromAClock() {
		return noClasses().should()
			.accessTargetWhere(DescribedPredicate.describe("reads the system's time",
					(JavaAccess<?> access) -> Conditions.readsTime(access)));
	}

	ArchRule nobodySleeps() {
		return noClasses().should()
			.accessTargetWhere(
					DescribedPredicate.describe("sleeps", (JavaAccess<?> access) -> Conditions.sleeps(access)));
	}

	/**
	 * There may be many thousands of queues, because anybody may list one. So no timer
	 * iterates over all of them; metrics and operators do when they read.
	 */
	ArchRule nothingGoesOverAllQueues() {
		return noClasses().that(outside("inspect", "metrics", "operate"))
			.should()
			.callMethodWhere(DescribedPredicate.describe("asks for all queues",
					(JavaMethodCall call) -> call.getName().equals("queues")
							&& (call.getTargetOwner().isAssignableTo(QueueReader.class)
									|| call.getTargetOwner().isAssignableTo(AsynqInspector.class))));
	}

	/**
	 * One master of a cluster may hang. A loop serves several queues, so what it does for
	 * one of them, in whatever class, runs in that one's lane.
	 */
	ArchRule loopsReachQueuesThroughLanesOnly() {
		return methods().that(DescribedPredicate.describe("run in the thread of a loop", ArchitectureRules::isOfLoop))
			.should(Conditions.reachQueuesThroughLanesOnly(this.root));
	}

	ArchRule onlyLoggingMakesLoggers() {
		return noClasses().that(outside("logging"))
			.should()
			.callMethodWhere(DescribedPredicate.describe("makes a logger whose lines others can forge",
					(JavaMethodCall call) -> call.getTargetOwner().isAssignableTo(LoggerFactory.class)));
	}

	/**
	 * The packages that a package may use besides its own. The vocabulary, its records
	 * and events, context, lifecycle and logging are open to all.
	 */
	private ArchRule sees(String name, String... others) {
		Stream<String> packages = Stream
			.concat(Stream.of("info", "event", "context", "gotext", "lifecycle", "logging"), Stream.of(others))
			.map((other) -> this.root + "." + other);
		return noClasses().that(residesIn(name))
			.should()
			.dependOnClassesThat(
					oursOtherThan(Stream.concat(Stream.of(this.root, in(name)), packages).toArray(String[]::new)));
	}

	/**
	 * Returns the types that applications use.
	 */
	DescribedPredicate<JavaClass> forUsers() {
		return DescribedPredicate
			.<JavaClass>describe("top-level and public",
					(type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
			.and(outside(INTERNAL));
	}

	private DescribedPredicate<JavaClass> residesIn(String... packages) {
		return resideInAnyPackage(Stream.of(packages).map(this::in).toArray(String[]::new));
	}

	private DescribedPredicate<JavaClass> outside(String... names) {
		return DescribedPredicate.not(residesIn(names));
	}

	private String in(String name) {
		return this.root + "." + name + "..";
	}

	private DescribedPredicate<JavaClass> oursOtherThan(String... allowed) {
		return resideInAPackage(this.root + "..").and(DescribedPredicate.not(resideInAnyPackage(allowed)));
	}

	/** Overrides of a component, and what is passed to a loop where that is made. */
	private static boolean isOfLoop(JavaMethod method) {
		boolean ofComponent = method.getOwner().isAssignableTo(PeriodicComponent.class)
				&& Set.of("runOnce", "starting", "stopping", "stopped").contains(method.getName());
		return ofComponent || method.getReferencesToSelf()
			.stream()
			.anyMatch((reference) -> reference.getOrigin()
				.getConstructorCallsFromSelf()
				.stream()
				.anyMatch((call) -> call.getTargetOwner().isEquivalentTo(PeriodicRunner.class)));
	}

	private static boolean isAssembly(JavaClass type) {
		return type.getEnclosingClass()
			.map(ArchitectureRules::isAssembly)
			.orElseGet(() -> ASSEMBLY.contains(type.getSimpleName()));
	}

	private static boolean isNoAssembly(JavaMember member) {
		return !isAssembly(member.getOwner())
				&& !(member.getName().equals("create") && member.getModifiers().contains(JavaModifier.STATIC));
	}

	private boolean isVisible(JavaMember member) {
		Set<JavaModifier> modifiers = member.getModifiers();
		return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
				&& member.getOwner().getModifiers().contains(JavaModifier.PUBLIC) && !isInternal(member.getOwner());
	}

	/**
	 * The parts of the adapter run scripts; these methods are public for them alone.
	 */
	private boolean isInternal(JavaClass type) {
		return resideInAPackage(this.root + ".broker.redis.*").test(type)
				|| type.getSimpleName().equals("ScriptRunner");
	}

}
