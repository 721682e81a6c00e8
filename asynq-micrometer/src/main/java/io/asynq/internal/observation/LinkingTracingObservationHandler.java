package io.asynq.internal.observation;

import io.asynq.observation.TaskAggregateContext;
import io.asynq.observation.TaskProcessContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

/**
 * Must come before Micrometer's handlers of senders and receivers, which know no links:
 * attempts at scheduled and periodic tasks, retries and aggregations link to other spans.
 */
public final class LinkingTracingObservationHandler implements TracingObservationHandler<Observation.Context> {

	private final Tracer tracer;

	private final Propagator propagator;

	public LinkingTracingObservationHandler(Tracer tracer, Propagator propagator) {
		this.tracer = tracer;
		this.propagator = propagator;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof TaskObservationContext linking && !linking.links().isEmpty();
	}

	@Override
	public void onStart(Observation.Context context) {
		Span span = (context instanceof TaskProcessContext process) ? receive(process)
				: send((TaskAggregateContext) context);
		getTracingContext(context).setSpan(span);
	}

	@Override
	public void onStop(Observation.Context context) {
		Span span = getRequiredSpan(context);
		span.name(getSpanName(context));
		tagSpan(context, span);
		endSpan(context, span);
	}

	@Override
	public Tracer getTracer() {
		return this.tracer;
	}

	/** The headers have no trace to continue, but perhaps baggage. */
	private Span receive(TaskProcessContext context) {
		Span.Builder builder = this.propagator.extract(context.getCarrier(), context.getGetter()::get);
		return link(builder.kind(Span.Kind.CONSUMER).remoteServiceName(context.getRemoteServiceName()), context);
	}

	private Span send(TaskAggregateContext context) {
		Span.Builder builder = this.tracer.spanBuilder();
		Span span = link(builder.kind(Span.Kind.PRODUCER).remoteServiceName(context.getRemoteServiceName()), context);
		this.propagator.inject(span.context(), context.getCarrier(), context.getSetter()::set);
		return span;
	}

	private Span link(Span.Builder builder, TaskObservationContext context) {
		Span.Builder linked = builder;
		for (String header : context.links()) {
			TraceParent parent = TraceParent.parse(header);
			if (parent != null) {
				linked = linked.addLink(new Link(context(parent)));
			}
		}
		return linked.start();
	}

	private TraceContext context(TraceParent parent) {
		return this.tracer.traceContextBuilder()
			.traceId(parent.traceId())
			.spanId(parent.spanId())
			.sampled(parent.sampled())
			.build();
	}

}
