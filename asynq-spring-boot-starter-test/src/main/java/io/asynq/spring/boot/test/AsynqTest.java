package io.asynq.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of tasks alone. Of the application's components it has those with a handler, an
 * aggregator or a periodic task, and what takes part in running them: converters,
 * interceptors, listeners, error handlers and policies. Everything else that they need is
 * mocked, for example with {@code @MockitoBean}, or imported. Nothing else is
 * auto-configured, and there is no Redis, as {@link AutoConfigureAsynq} says.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(AsynqTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(AsynqTypeExcludeFilter.class)
@AutoConfigureAsynq
public @interface AsynqTest {

	/** What becomes of enqueued tasks. */
	@AliasFor(annotation = AutoConfigureAsynq.class, attribute = "mode")
	AutoConfigureAsynq.Mode mode() default AutoConfigureAsynq.Mode.FAKE;

	/**
	 * Properties for this test.
	 * @return each as {@code name=value}
	 */
	String[] properties() default {};

	/**
	 * Whether the components named above are included.
	 * @return {@code false} for those of {@link #includeFilters()} only
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Further components.
	 * @return filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Components that are left out.
	 * @return filters
	 */
	Filter[] excludeFilters() default {};

}
