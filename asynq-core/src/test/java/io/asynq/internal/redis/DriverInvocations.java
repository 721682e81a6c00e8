package io.asynq.internal.redis;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Runs a class once for each driver of its {@link OnDrivers}.
 */
final class DriverInvocations implements ClassTemplateInvocationContextProvider {

	@Override
	public boolean supportsClassTemplate(ExtensionContext context) {
		return true;
	}

	@Override
	public Stream<Invocation> provideClassTemplateInvocationContexts(ExtensionContext context) {
		Driver[] drivers = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), OnDrivers.class)
			.orElseThrow()
			.value();
		boolean full = context.getConfigurationParameter("asynq.test.full", Boolean::valueOf).orElse(false);
		return Stream.of(drivers).limit(full ? drivers.length : 1).map(Invocation::new);
	}

	/**
	 * One run of a class.
	 */
	static final class Invocation implements ClassTemplateInvocationContext {

		private final Driver driver;

		private final AfterAllCallback connections;

		Invocation(Driver driver) {
			this.driver = driver;
			this.connections = driver.connect();
		}

		@Override
		public String getDisplayName(int index) {
			return this.driver.toString();
		}

		@Override
		public void prepareInvocation(ExtensionContext context) {
			context.getStore(ExtensionContext.Namespace.create(this))
				.put("connections", (AutoCloseable) () -> this.connections.afterAll(context));
		}

		@Override
		public List<Extension> getAdditionalExtensions() {
			return List.of(this.connections, (TestExecutionExceptionHandler) (context, error) -> tell(error));
		}

		/**
		 * Names the driver in failures, as reports only number the runs of a class.
		 */
		private void tell(Throwable error) throws Throwable {
			throw (error instanceof AssertionError)
					? new AssertionError("On " + this.driver + ": " + error.getMessage(), error) : error;
		}

	}

}
