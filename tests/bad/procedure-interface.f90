program p
  procedure(nothing), pointer :: q
end program
