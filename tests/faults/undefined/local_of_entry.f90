! told at 12:12: Variable 'k' is used before it has a value
! flags: -fcheck=undefined
program fault
  call set(1)
  call use
end program
subroutine set(n)
  integer :: n, k
  print *, n
  return
  entry use
  print *, k + 1
end subroutine
