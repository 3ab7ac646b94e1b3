module m
  type t
    procedure(), nopass :: q
  end type
end module
