! told at 5:16: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n
  select case (n)
  case (1)
    print *, 'one'
  case default
    print *, 'many'
  end select
end program
