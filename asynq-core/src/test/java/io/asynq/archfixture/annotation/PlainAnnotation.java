package io.asynq.archfixture.annotation;

public final class PlainAnnotation {

}
