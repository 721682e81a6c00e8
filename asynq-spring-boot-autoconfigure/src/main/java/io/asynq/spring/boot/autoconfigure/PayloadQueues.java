package io.asynq.spring.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskDefaults;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Classes of payloads are no beans, so the class path is searched, which a native image
 * does not have.
 */
final class PayloadQueues {

	private static final Logger logger = OneLineLogger.of(PayloadQueues.class);

	private final ApplicationContext context;

	PayloadQueues(ApplicationContext context) {
		this.context = context;
	}

	/** Only those that name a queue, by the name of the class. */
	Map<String, TaskDefaults> find() {
		ClassPathScanningCandidateComponentProvider search = new ClassPathScanningCandidateComponentProvider(false);
		// With the context's own loader everything that is read would stay in its caches
		search.setResourceLoader(new PathMatchingResourcePatternResolver(this.context.getClassLoader()));
		search.addIncludeFilter(new AnnotationTypeFilter(TaskDefaults.class, true, true));
		Map<String, TaskDefaults> found = new LinkedHashMap<>();
		for (String searched : packages()) {
			try {
				search.findCandidateComponents(searched)
					.forEach((candidate) -> add(found, String.valueOf(candidate.getBeanClassName())));
			}
			catch (BeanDefinitionStoreException ex) {
				logger.debug("Package {} cannot be searched for payloads", searched, ex);
			}
		}
		return found;
	}

	private List<String> packages() {
		return AutoConfigurationPackages.has(this.context) ? AutoConfigurationPackages.get(this.context) : List.of();
	}

	private void add(Map<String, TaskDefaults> found, String name) {
		try {
			TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(
					ClassUtils.resolveClassName(name, this.context.getClassLoader()), TaskDefaults.class);
			if (defaults != null && !defaults.queue().isEmpty()) {
				found.put(name, defaults);
			}
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			// Its classes may be optional, so that nothing ever enqueues it
			logger.debug("Class {} cannot be loaded", name, ex);
		}
	}

}
