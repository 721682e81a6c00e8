package io.asynq.architecture;

import java.lang.reflect.Field;
import java.util.Map;
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
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.PeriodicRunner;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
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

	private static final Set<String> FEATURES = Set.of("schedule", "group", "limit", "arrival", "fleet");

	/** Who reads private fields of a driver or of Spring, and why. */
	private static final Map<String, String> READS_PRIVATE_FIELDS = Map.of("CheckedClient",
			"a second client needs the pools, which Jedis shows to nobody", "JedisCalls",
			"a pool opens another connection in the thread that gives a broken one back, which must not wait for it",
			"LettuceFactories", "getters give localhost for a list of replicas");

	private final String root;

	ArchitectureRules(String root) {
		this.root = root;
	}

	ArchRule noCircleOfInternalPackages() {
		return slices().matching(this.root + ".internal.(*)..").should().beFreeOfCycles();
	}

	ArchRule featuresDoNotSeeEachOther() {
		return classes().that(residesIn(FEATURES.stream().map((name) -> "internal." + name).toArray(String[]::new)))
			.should(Conditions.notDependOnSiblings(this.root + ".internal", FEATURES));
	}

	/**
	 * It sees them through interfaces of its own, which they implement.
	 */
	ArchRule theWayOfATaskSeesNoFeature() {
		return noClasses().that(residesIn("internal.worker"))
			.should()
			.dependOnClassesThat(residesIn("internal.schedule", "internal.group", "internal.limit", "internal.arrival",
					"internal.fleet", "internal.cancel", "internal.inspect", "internal.server", "internal.broker"));
	}

	ArchRule textsStandAlone() {
		return noClasses().that(residesIn("internal.text"))
			.should()
			.dependOnClassesThat(resideInAPackage(this.root + "..").and(outside("internal.text")));
	}

	ArchRule publicSignaturesNameNoInternalType() {
		return members().that(DescribedPredicate.describe("are visible to users", this::isVisible))
			.should(Conditions.nameNoTypeOf(this.root + ".internal"));
	}

	ArchRule publicSignaturesShowNoTechnology() {
		return members().that(DescribedPredicate.describe("are visible to users", this::isVisible))
			.should(Conditions.showNoTechnology());
	}

	ArchRule nobodyUsesAnnotation() {
		return noClasses().that(outside("annotation", "internal.method"))
			.should()
			.dependOnClassesThat(residesIn("annotation"));
	}

	/**
	 * All others take the stores they need. A static {@code create} is assembly.
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
		return methods().that().areDeclaredInClassesThat(residesIn("internal")).should(Conditions.notKeepACallback());
	}

	ArchRule onlyStoresKnowSpringDataRedis() {
		return noClasses().that(outside("internal.redis"))
			.and(DescribedPredicate.describe("are no stores", Conditions::isNoStore))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.data..");
	}

	ArchRule onlyStoresKnowProtobuf() {
		return noClasses().that(outside("internal.redis"))
			.and(DescribedPredicate.describe("are no stores", Conditions::isNoStore))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.google.protobuf..");
	}

	ArchRule nobodyKnowsADriver() {
		return noClasses().that(outside("internal.redis.driver"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("redis.clients..", "io.lettuce..", "org.redisson..");
	}

	/**
	 * Everything here works where Micrometer is missing.
	 */
	ArchRule nobodyKnowsMicrometer() {
		return noClasses().should().dependOnClassesThat().resideInAPackage("io.micrometer..");
	}

	ArchRule nobodyKnowsBoot() {
		return noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..");
	}

	ArchRule onlyThoseListedReadPrivateFields() {
		return noClasses().that(DescribedPredicate.not(isOneOf(READS_PRIVATE_FIELDS.keySet())))
			.should()
			.dependOnClassesThat(belongToAnyOf(Field.class, DirectFieldAccessor.class));
	}

	ArchRule generatedMessagesLieBesideTheScripts() {
		return classes().that()
			.areAssignableTo(MessageLite.class)
			.should()
			.resideInAPackage(this.root + ".internal.redis.*");
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
		return noClasses().that(outside("inspect", "internal.inspect"))
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

	ArchRule onlyTextMakesLoggers() {
		return noClasses().that(outside("internal.text"))
			.should()
			.callMethodWhere(DescribedPredicate.describe("makes a logger whose lines others can forge",
					(JavaMethodCall call) -> call.getTargetOwner().isAssignableTo(LoggerFactory.class)));
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

	private static DescribedPredicate<JavaClass> isOneOf(Set<String> names) {
		return DescribedPredicate.describe("is one of " + names,
				(type) -> names.contains(outermost(type).getSimpleName()));
	}

	static JavaClass outermost(JavaClass type) {
		return type.getEnclosingClass().map(ArchitectureRules::outermost).orElse(type);
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
				&& isPublic(member.getOwner()) && outside("internal").test(member.getOwner());
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(ArchitectureRules::isPublic).orElse(true);
	}

}
