! Messages of the preprocessor.
#warning "doubtful"
#error "wrong"
program p
end program
