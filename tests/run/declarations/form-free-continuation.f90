! Continuation in free form: inside words, strings, with comments between.
program form_free_continuation
  implicit none
  integer :: i, total
  character(len=20) :: s
  total = 1 + & ! first
          ! a comment line

          2 &
        & + 3
  s = 'one &
      &two'
  print *, total, s
  i = 1; total = total * i; print *, &
    total; print *, 'semi;colon'
  pri&
  &nt *, 'torn word'
  print *, 'amper&sand', "quote '' and ""double"""
end program
